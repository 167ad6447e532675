/** Whether the sources are run, from a checkout, and not what is packed, from a project that installed it. */
const isCheckout = import.meta.url.endsWith('.ts');

/** How the command is started. */
export const invocation = isCheckout ? 'npm run contract --' : 'npx task-audit-contract';

/** An argument for a POSIX shell, quoted where it needs to be. */
export function shellQuoted(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** The commands that run again what judges a clause, with the seed of the run. */
export function commandsForClause(clause: string, seed: number): readonly [string, ...string[]] {
  const only = shellQuoted(clause);
  const contract = `SEED=${seed} ${invocation} --only ${only}`;
  return isCheckout
    ? [contract, `SEED=${seed} npx vitest run --project contract -t ${only}`]
    : [contract];
}

/** The command that runs one scenario again, with the seed of the run. */
export function commandForScenario(scenario: string, seed: number): string {
  if (!isCheckout) return `SEED=${seed} ${invocation} --only ${shellQuoted(scenario)}`;
  // Vitest reads the pattern as a regular expression.
  const pattern = scenario.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `SEED=${seed} npx vitest run --project contract -t ${shellQuoted(pattern)}`;
}
