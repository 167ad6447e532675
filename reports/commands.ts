/** Whether the sources are run, from a checkout, and not what is packed, from a project that installed it. */
const isCheckout = import.meta.url.endsWith('.ts');

/** How the command is started. */
export const invocation = isCheckout ? 'npm run contract --' : 'npx task-audit-contract';

/** An argument for the shell of this machine, quoted where it needs to be; POSIX, or cmd and PowerShell on Windows. */
export function shellQuoted(
  argument: string,
  platform: NodeJS.Platform = process.platform,
): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  if (platform === 'win32') return `"${argument.replaceAll('"', '""')}"`;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command that runs again what looks at a clause, or a scenario, with the seed of the run. Flags, as not every shell
 * sets variables before a command.
 * @param only the id of the clause, or the name of the scenario
 */
export function commandFor(only: string, seed: number): string {
  return `${invocation} --only ${shellQuoted(only)} --seed ${seed}`;
}
