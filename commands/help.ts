import { invocation } from '../reports/commands.ts';
import { terminal } from '../reports/terminal.ts';
import type { Command } from './command.ts';
import { columnsOf } from './terminal.ts';

/** @param load gives all commands, by name, in the order of the help */
export function helpOn(load: () => Promise<Readonly<Record<string, Command>>>): Command {
  return {
    summary: 'this text, or what one command takes',
    operands: '[COMMAND]',
    options: {},
    async run(args) {
      const all = await load();
      const named = Object.entries(all).filter(([name]) => args.includes(name));
      const shown = named.length === 0 ? all : Object.fromEntries(named);
      process.stdout.write(renderHelp(shown, columnsOf(process.stdout)));
      return 0;
    },
  };
}

/** What the command line can do: the commands, and the options of each. Ends with a line feed. */
export function renderHelp(commands: Readonly<Record<string, Command>>, width: number): string {
  const screen = terminal({ color: false, width });
  const named = Object.entries(commands);
  const titled = named.map(([name, { summary, operands }]) => ({
    title: `  ${[name, operands].filter(Boolean).join(' ')}`,
    summary,
  }));
  const column = Math.max(...titled.map(({ title }) => title.length)) + 2;
  return [
    'Checks a running service against the document of the task assignment and audit export interface.',
    '',
    `${invocation} [command] [options]`,
    '',
    ...titled.flatMap(({ title, summary }) =>
      screen.wrap(summary, title.padEnd(column), ' '.repeat(column)),
    ),
    ...named.flatMap(([name, { options }]) =>
      Object.keys(options).length === 0
        ? []
        : ['', `Options of ${name}`, '', ...optionLines(options, screen)],
    ),
    '',
    ...screen.wrap(
      'Exit codes: 0 conformant, 1 violations, 2 nothing could be judged or the suite itself failed, 3 incomplete.',
      '',
    ),
    'The configuration stands in environment variables or in .env; .env.example explains each.',
    '',
  ].join('\n');
}

function optionLines(options: Command['options'], { wrap }: ReturnType<typeof terminal>): string[] {
  const titled = Object.entries(options).map(([name, { value, about }]) => ({
    title: `  --${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  }));
  const column = Math.max(...titled.map(({ title }) => title.length)) + 2;
  return titled.flatMap(({ title, about }) =>
    wrap(about, title.padEnd(column), ' '.repeat(column)),
  );
}
