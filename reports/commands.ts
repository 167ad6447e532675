import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Results } from '../schemas/results.ts';

/** Whether the sources are run, from a checkout, and not what is packed, from a project that installed it. */
const isCheckout = import.meta.url.endsWith('.ts');

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** What needs no quotes in any shell. */
const plain = /^[\w@%+=:,./-]+$/;

/** How the command is started from where the run was started; a checkout, from another folder, by its file. */
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

/**
 * The options that name a target. Without them a command may address another one than the run did: the embedded
 * service, where it is started without what the run was configured by.
 */
export function optionsFor({ kind, baseUrl, envFile }: Results['target']): string[] {
  if (kind === 'embedded') return ['--embedded'];
  return [
    ...(envFile === undefined ? [] : ['--env', shellQuoted(envFile)]),
    '--base-url',
    shellQuoted(baseUrl),
  ];
}

/**
 * The command that runs again what looks at clauses, or a scenario, with the target and the seed of the run. Flags, as not
 * every shell sets variables before a command.
 * @param only the ids of the clauses, or the name of the scenario
 */
export function commandFor(
  only: string | readonly string[],
  { target, seed }: Pick<Results, 'target' | 'seed'>,
): string {
  const chosen = [only].flat().flatMap((one) => ['--only', shellQuoted(one)]);
  return [invocation, ...optionsFor(target), ...chosen, '--seed', seed].join(' ');
}
