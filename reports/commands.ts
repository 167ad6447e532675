import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Results } from '../schemas/results.ts';

/** Whether this file is a source of a checkout, and not of a package that a project has installed. */
const isCheckout = import.meta.url.endsWith('.ts');

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** An argument that needs no quotes in any shell. */
const plain = /^[\w@%+=:,./-]+$/;

/** How a command begins, from the current folder: `npm run contract --` in a checkout, `npx …` where installed. */
export const invocation = !isCheckout
  ? 'npx task-audit-contract'
  : resolve(checkout) === process.cwd()
    ? 'npm run contract --'
    : `node ${shellQuoted(relative(process.cwd(), join(checkout, 'bin/contract.mjs')))}`;

/** An argument for the shell of this machine, quoted where it needs to be; POSIX, or cmd and PowerShell on Windows. */
export function shellQuoted(
  argument: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const isPlain = plain.test(argument);
  return platform === 'win32' && !isPlain
    ? `"${argument.replaceAll('"', '""')}"`
    : bashQuoted(argument);
}

/** An argument for bash, on whatever machine, quoted where it needs to be. */
export function bashQuoted(argument: string): string {
  return plain.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** The options that name a target. Without them, and the variables of the run, a command addresses the embedded service. */
export function optionsFor({ kind, baseUrl, envFile }: Results['target']): string[] {
  if (kind === 'embedded') return ['--embedded'];
  return [
    ...(envFile === undefined ? [] : ['--env', shellQuoted(envFile)]),
    '--base-url',
    shellQuoted(baseUrl),
  ];
}

/** The command that plays clauses (their ids) or a scenario (its name) again, with flags: not every shell sets variables. */
export function commandFor(
  only: string | readonly string[],
  { target, seed }: Pick<Results, 'target' | 'seed'>,
): string {
  const chosen = [only].flat().flatMap((one) => ['--only', shellQuoted(one)]);
  return [invocation, ...optionsFor(target), ...chosen, '--seed', seed].join(' ');
}
