#!/usr/bin/env node
import { existsSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { Command } from './commands/command.ts';
import { columnsOf } from './commands/terminal.ts';
import { NotStarted } from './contract/run.ts';
import { envFile, environment } from './helpers/config/environment.ts';
import { secretsIn } from './helpers/config/read-settings.ts';
import { didYouMean, similar } from './helpers/did-you-mean.ts';
import { ConfigurationError, UsageError, UserError } from './helpers/errors.ts';
import { Redactor } from './helpers/http/redact.ts';
import { suiteVersion } from './helpers/version.ts';
import { invocation } from './reports/commands.ts';
import { runReport } from './reports/run-report.ts';
import { fileLines, renderOnTerminal, terminal } from './reports/terminal.ts';

// With much memory free, V8 collects garbage seldom: a run would take twice what it needs, and pipelines have little.
setFlagsFromString('--heap-growing-percent=30');

/** The commands by name; each is loaded only when it is asked for. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('./commands/check.ts')).check,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  restore: async () => (await import('./commands/restore.ts')).restore,
  compare: async () => (await import('./commands/compare.ts')).compare,
  waive: async () => (await import('./commands/waive.ts')).waive,
  fidelity: async () => (await import('./commands/fidelity.ts')).fidelity,
  serve: async () => (await import('./commands/serve.ts')).serve,
  clauses: async () => (await import('./commands/clauses.ts')).clauses,
  help: async () => (await import('./commands/command.ts')).helpOn(allCommands),
  version: async () => version,
};

const version: Command = {
  summary: 'the version',
  options: {},
  async run() {
    process.stdout.write(`${suiteVersion}\n`);
    return 0;
  },
};

async function allCommands(): Promise<Readonly<Record<string, Command>>> {
  const loaded: Record<string, Command> = {};
  // One after another: loaded together, modules that they share may be half loaded.
  for (const [name, load] of Object.entries(commands)) loaded[name] = await load();
  return loaded;
}

/** Runs the command that the arguments name, or `check`. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const { env } = parseArgs({
    // `--env` counts behind `--` too, where `restore` takes the command line of a run.
    args: args.filter((arg) => arg !== '--'),
    options: { env: { type: 'string' } },
    strict: false,
  }).values;
  // The environment is read from this file everywhere. Commands that read none refuse the option.
  if (typeof env === 'string') process.env.ENV_FILE = env;
  const [first] = args;
  if (args.includes('--help') || args.includes('-h')) return await run('help', args);
  if (first === '--version') return await run('version', []);
  // Options without a command belong to the default one.
  const isNamed = first !== undefined && !first.startsWith('-');
  return isNamed ? await run(first, args.slice(1)) : await run('check', args);
}

async function run(name: string, args: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) {
    const like = similar(name, Object.keys(commands), 1);
    throw new UsageError(`There is no command "${name}". ${didYouMean(like)}`);
  }
  return await (await load()).run(args);
}

/** What to print of an error. Every such failure ends with exit code 2, as 1 would accuse the target. */
function explain(error: unknown): string {
  if (error instanceof NotStarted) {
    const { report } = error;
    const screen = { color: false, width: columnsOf(process.stderr) };
    // The last line is the verdict, whatever became of the run.
    const verdict = renderOnTerminal(runReport(report), { ...screen, detail: 'quiet' });
    const written = fileLines(report.files, terminal(screen));
    return [explain(error.cause), '', ...written, '', verdict.trimEnd()].join('\n');
  }
  if (error instanceof UsageError) return `${error.message}\n\nSee \`${invocation} help\`.`;
  if (error instanceof ConfigurationError) {
    const source = existsSync(envFile())
      ? ` Values come from the environment and from ${envFile()}.`
      : '';
    return `The configuration cannot be used; nothing was sent.${source}\n\n${error.message.replaceAll(/^/gm, '  ')}`;
  }
  if (error instanceof UserError) return error.message;
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `The suite itself failed; this says nothing about the target.\n\n${what}`;
}

/** The text with secrets redacted. No message of ours holds one, but the stack of a library might. */
function withoutSecrets(text: string): string {
  try {
    return new Redactor(secretsIn(environment())).text(text);
  } catch {
    // Where no configuration can be read, no key was used.
    return text;
  }
}

process.on('uncaughtException', (error) => {
  writeSync(process.stderr.fd, `${withoutSecrets(explain(error))}\n`);
  process.exit(2);
});

// Whoever reads the output may stop reading, as `head` does: no reason to fail.
process.stdout.on('error', () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(withoutSecrets(explain(error)));
  process.exitCode = 2;
}
