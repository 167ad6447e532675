import { invocation } from '../reports/commands.ts';
import { terminal } from '../reports/terminal.ts';
import type { Command } from './command.ts';
import { columnsOf } from './terminal.ts';

/** The command `help`. @param load gives all commands, by name, in the order of the help */
export function helpOn(load: () => Promise<Readonly<Record<string, Command>>>): Command {
  return {
    summary: 'this text, or what one command takes',
    operands: '[COMMAND]',
    options: {},
    async run(args) {
      const commands = await load();
      const named = Object.entries(commands).filter(([name]) => args.includes(name));
      const shown = named.length === 0 ? commands : Object.fromEntries(named);
      process.stdout.write(renderHelp(shown, columnsOf(process.stdout)));
      return 0;
    },
  };
}

/** What the command line can do: the commands, and the options of each. Ends with a line feed. */
function renderHelp(commands: Readonly<Record<string, Command>>, width: number): string {
  const screen = terminal({ color: false, width });
  const named = Object.entries(commands);
  const listLines = (rows: readonly (readonly [title: string, about: string])[]): string[] => {
    const column = Math.max(...rows.map(([title]) => title.length)) + 4;
    return rows.flatMap(([title, about]) =>
      screen.wrap(about, `  ${title}`.padEnd(column), ' '.repeat(column)),
    );
  };
  return [
    'Checks a running service against the document of the task assignment and audit export interface.',
    '',
    `${invocation} [command] [options]`,
    '',
    ...listLines(
      named.map(([name, { summary, operands = '' }]) => [`${name} ${operands}`.trim(), summary]),
    ),
    ...named.flatMap(([name, { options }]) => {
      const rows = Object.entries(options).map(
        ([option, { value = '', about }]) => [`--${option} ${value}`.trim(), about] as const,
      );
      return rows.length === 0 ? [] : ['', `Options of ${name}`, '', ...listLines(rows)];
    }),
    '',
    ...screen.wrap(
      'Exit codes: 0 conformant, 1 violations, 2 nothing could be judged or the suite itself failed, 3 incomplete.',
      '',
    ),
    'The configuration stands in environment variables or in .env; .env.example explains each.',
    '',
  ].join('\n');
}
