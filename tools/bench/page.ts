import type { CsvFigures } from './csv.ts';
import type { DelayedFigures } from './latency.ts';
import type { PdfFigures } from './pdf.ts';
import type { RunFigures } from './runs.ts';

/** What the benchmark has measured. Times in seconds, memory and sizes in bytes. */
export interface Figures {
  readonly machine: string;
  readonly csv: CsvFigures;
  readonly pdf: PdfFigures;
  readonly runs: readonly RunFigures[];
  readonly delayed: readonly DelayedFigures[];
}

/** The figures as a page of the documentation. */
export function page({ machine, csv, pdf, runs, delayed }: Figures): string {
  const parser = csv.ways.find(({ name }) => name === 'Papa Parse alone');
  const lines = [
    '# Performance',
    '',
    `Measured by \`npm run bench\`, which writes this page, with ${machine}.`,
    '',
    '## A whole run',
    '',
    ...table(
      ['target', 'wall time', 'CPU time', 'most memory', 'requests'],
      runs.map((run) => [
        run.what,
        seconds(run.wall),
        seconds(run.cpu),
        megabytes(run.memory),
        `${run.requests}`,
      ]),
    ),
    '',
    'Wall time and CPU time are those of the command, from its start to its end. The processes that read PDFs are not',
    'counted, nor is the embedded service, which has a process of its own, as any target has.',
    '',
    '## A target that takes its time',
    '',
    ...table(
      [
        'each answer takes',
        'wall time',
        'requests',
        'longest chain',
        'takes',
        'eight at once take',
      ],
      delayed.map((one) => [
        `${one.delayMs} ms`,
        seconds(one.wall),
        `${one.requests}`,
        `${one.chain.count} requests`,
        seconds(one.chain.ms / 1000),
        seconds(one.atOnce),
      ]),
    ),
    '',
    'Requests of one scenario depend on those that had been answered before they were sent; what scenarios share counts as',
    'one. No run is shorter than its requests take eight at once, which is the default of `MAX_CONCURRENCY`.',
    '',
    `## A CSV export of ${csv.rows.toLocaleString('en')} rows, ${megabytes(csv.bytes)}`,
    '',
    ...table(
      ['', 'rows per second', 'of Papa Parse alone', 'most memory', 'before'],
      csv.ways.map(({ name, rowsPerSecond, memory, memoryBefore }) => [
        name,
        Math.round(rowsPerSecond).toLocaleString('en'),
        (rowsPerSecond / (parser?.rowsPerSecond ?? 1)).toFixed(2),
        megabytes(memory),
        megabytes(memoryBefore),
      ]),
    ),
    '',
    `## A PDF export of ${pdf.events.toLocaleString('en')} events, ${pdf.pages} pages`,
    '',
    ...table(
      ['made by the reference service', 'read', 'compared with its CSV'],
      [[seconds(pdf.made), seconds(pdf.read), seconds(pdf.compared)]],
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
