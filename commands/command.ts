import { parseArgs } from 'node:util';
import { environment } from '../helpers/config/environment.ts';
import type { Environment } from '../helpers/config/read-settings.ts';
import { didYouMean, similar } from '../helpers/did-you-mean.ts';
import { UsageError } from '../helpers/errors.ts';
import { invocation } from '../reports/commands.ts';
import { terminal } from '../reports/terminal.ts';
import {
  schemaOf,
  type Variable,
  type VariableSchema,
  variableNames,
} from '../schemas/configuration.ts';
import { columnsOf } from './terminal.ts';

// What a command is: the options it takes, how they are read, and what the help says about it.

/** A command of the command line: `check`, `doctor`. */
export interface Command {
  readonly summary: string;
  /** The arguments beside the options, for the help: `A B`. */
  readonly operands?: string;
  readonly options: Options;
  /**
   * @param args what follows the command's name
   * @returns the exit code
   * @throws UsageError, ConfigurationError
   */
  run(args: readonly string[]): Promise<number>;
}

/** The options of a command, by name without the dashes. */
export type Options = Readonly<Record<string, Option>>;

interface Option {
  /** The name of its value in the help, the N of `--seed N`. An option without one is a switch. */
  readonly value?: string;
  readonly multiple?: boolean;
  /** What the option does, for the help. */
  readonly about: string;
}

/** What was given for each option; missing where it was not given. */
export type Values<O extends Options> = { readonly [Name in keyof O]?: ValueOf<O[Name]> };

type ValueOf<One extends Option> = One extends { value: string; multiple: true }
  ? readonly string[]
  : One extends { value: string }
    ? string
    : boolean;

/** The options as `parseArgs` of Node takes them. */
export function typed(options: Options) {
  const entries = Object.entries(options).map(([name, one]) => {
    const type = one.value === undefined ? 'boolean' : 'string';
    return [name, { ...one, type }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Declares a command. `run` is given the values of its options, and its other arguments in their order (`operands`);
 * one that names none takes none.
 */
export function command<const O extends Options>({
  run,
  hasAnother = false,
  ...declared
}: Pick<Command, 'summary' | 'operands'> & {
  readonly options: O;
  /** Whether its other arguments are the command line of another command, which stands behind `--`. */
  readonly hasAnother?: boolean;
  readonly run: (values: Values<O>, operands: readonly string[]) => Promise<number>;
}): Command {
  return {
    ...declared,
    async run(args) {
      const end = hasAnother && args.includes('--') ? args.indexOf('--') : args.length;
      const { values, operands } = readArguments(args.slice(0, end), declared.options);
      const areExpected = declared.operands !== undefined && !hasAnother;
      if (!areExpected && operands[0] !== undefined) {
        throw new UsageError(`"${operands[0]}" is not expected here; options begin with --.`);
      }
      return await run(values, hasAnother ? args.slice(end + 1) : operands);
    },
  };
}

/**
 * Reads the options of a command, and its other arguments.
 * @throws UsageError where an option is unknown or lacks its value
 */
export function readArguments<const O extends Options>(
  args: readonly string[],
  options: O,
): { readonly values: Values<O>; readonly operands: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: typed(options),
      allowPositionals: true,
    });
    for (const [name, value] of Object.entries(values)) {
      // An empty value comes from a variable of a pipeline that is not set: nobody means it.
      if ([value].flat().some((one) => `${one}`.trim() === '')) {
        throw new UsageError(`--${name} needs a value: --${name} ${options[name]?.value}`);
      }
    }
    // The cast: what `parseArgs` gives for an option follows from its type.
    return { values: values as Values<O>, operands: positionals };
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error;
    if (error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`${error.message}.`);
    const names = args.filter((arg) => arg.startsWith('-')).map((arg) => arg.replace(/=.*/s, ''));
    const known = Object.keys(options).map((name) => `--${name}`);
    const unknown = names.find((name) => !known.includes(name)) ?? '';
    const like = didYouMean(similar(unknown, [...known, '--help'], 1));
    throw new UsageError(`There is no option ${unknown}. ${like}`);
  }
}

/** The options that set these variables, and `--env`, which names the file of variables. */
export function optionsThatSet(...names: readonly Variable[]): Options {
  const options = names.flatMap((variable) => {
    const { flag, isList } = schemaOf(variable);
    if (flag === undefined) return [];
    const { name, value, sets, about } = flag;
    const as = sets === undefined ? variable : `${variable}=${sets}`;
    const rest = { ...(isList && { multiple: true }), ...(value && { value }) };
    return [[name, { ...rest, about: `${about} (as ${as})` }] as const];
  });
  return { ...envOption, ...Object.fromEntries(options) };
}

/** The option of every command that reads the configuration. */
export const envOption = {
  env: {
    value: 'FILE',
    about:
      'file of variables to read in place of .env; what is set in the environment counts first',
  },
} as const;

/** The options of every command that needs the target alone. */
export const targetOptions = optionsThatSet('BASE_URL', 'REQUIRE_TARGET', 'WAIT_FOR_TARGET_MS');

/** The options of every command that runs scenarios. */
export const runOptions = {
  only: {
    multiple: true,
    value: 'TEXT',
    about:
      'judge only this clause (its id, or the beginning of ids), or the clauses of scenarios with this in their name; may be given several times',
  },
  level: {
    multiple: true,
    value: 'LEVEL',
    about: 'judge only clauses of this level: stated, or implied; may be given several times',
  },
  ...optionsThatSet('EXCEPT', 'ALLOW_WRITES'),
  ...targetOptions,
  ...optionsThatSet('SEED', 'REPORT_DIR'),
} as const;

/**
 * The environment, with variables replaced by the options that set them.
 * @param values the values of options, by name; options that set no variable are passed over
 * @throws ConfigurationError where the file of variables cannot be read; UsageError where an option is no whole number
 */
export function environmentUnder(values: object, configured = environment()): Environment {
  const given = new Map<string, unknown>(Object.entries(values));
  const set = variableNames.flatMap((variable) => {
    const { flag } = schemaOf(variable);
    const value = flag && given.get(flag.name);
    if (flag === undefined || value === undefined) return [];
    return [[variable, settingOf(flag, value, configured[variable])]];
  });
  return { ...configured, ...Object.fromEntries(set) };
}

/** The value that an option gives a variable; to a list it adds. @param before the value without the option */
function settingOf(
  { name, sets, times }: NonNullable<VariableSchema['flag']>,
  value: unknown,
  before = '',
): string {
  if (sets !== undefined) return sets;
  if (Array.isArray(value)) return [before, ...value].filter((text) => text.trim()).join(',');
  return times === undefined ? `${value}` : `${wholeNumber(name, `${value}`, 9999) * times}`;
}

/** The number that an option gives. @throws UsageError where its text is no whole number, or more than `max` */
export function wholeNumber(option: string, text = '0', max = 999_999): number {
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`--${option}: "${text}" is not a whole number from 0 to ${max}`);
}

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
