/** An argument for a POSIX shell, quoted where it needs to be. */
export function shellQuoted(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** The commands that play again what judges a clause, with the seed of the run. */
export function commandsForClause(clause: string, seed: number): readonly [string, string] {
  return [
    `SEED=${seed} npm run contract -- --only ${shellQuoted(clause)}`,
    `SEED=${seed} npx vitest run --project contract -t ${shellQuoted(clause)}`,
  ];
}

/** The command that plays one scenario again, with the seed of the run. */
export function commandForScenario(scenario: string, seed: number): string {
  // Vitest reads the pattern as a regular expression.
  const pattern = scenario.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `SEED=${seed} npx vitest run --project contract -t ${shellQuoted(pattern)}`;
}
