/** What one part of the benchmark has measured, as a section of the page. */
export interface Section {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly notes?: readonly string[];
}

/** The figures as a page of the documentation. */
export function page(machine: string, sections: readonly Section[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = sections.flatMap(({ title, heads, rows, notes = [] }) => [
    ...['', `## ${title}`, ''],
    ...[heads, heads.map(() => '---'), ...rows].map(line),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ]);
  const by = `Measured by \`npm run bench\`, which writes this page, with ${machine}.`;
  return `${['# Performance', '', by, ...lines].join('\n')}\n`;
}

export const seconds = (value: number): string => `${value.toFixed(1)} s`;
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
export const thousands = (value: number): string => Math.round(value).toLocaleString('en');

/** Does some work, and says how many seconds it took. */
export async function timed<T>(work: () => Promise<T>): Promise<[seconds: number, result: T]> {
  const began = performance.now();
  const result = await work();
  return [(performance.now() - began) / 1000, result];
}

/** The most memory that a process took, in kB, in Linux's `/proc/self/status`; `maxRSS` counts that of the process which started it. */
export const mostMemory = /VmHWM:\s+(\d+) kB/;
