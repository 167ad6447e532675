import { parseArgs } from 'node:util';
import { UsageError } from '../contract/errors.ts';
import type { Choice } from '../contract/selection.ts';
import { environment } from '../helpers/config/environment.ts';
import type { Environment } from '../helpers/config/read-settings.ts';
import { didYouMean, similar } from '../helpers/did-you-mean.ts';
import type { Level } from '../schemas/clause.ts';

// What a command is: what the help says about it, the options it takes, and how they are read.

/** One thing that the command line does. */
export interface Command {
  /** What it does, as one line. */
  readonly summary: string;
  /** What stands beside the options, for the help: `A B`. */
  readonly operands?: string;
  readonly options: Options;
  /**
   * @param args what follows the command's name
   * @returns the exit code
   * @throws UsageError, ConfigurationError
   */
  run(args: readonly string[]): Promise<number>;
}

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** What stands for the value in the help: `--seed N`. */
  readonly value?: string;
  /** What it does, for the help. */
  readonly about: string;
}

/** The options of a command, by name without the dashes. */
export type Options = Readonly<Record<string, Option>>;

/** What was given for each option; missing where it was not given. */
type Values<O extends Options> = {
  readonly [Name in keyof O]?: O[Name] extends { type: 'boolean' }
    ? boolean
    : O[Name] extends { multiple: true }
      ? readonly string[]
      : string;
};

/**
 * Reads the options of a command that takes nothing else.
 * @throws UsageError where one is unknown or lacks its value, or where something stands there that is no option
 */
export function readOptions<const O extends Options>(
  args: readonly string[],
  options: O,
): Values<O> {
  const { values, operands } = readArguments(args, options);
  if (operands[0] !== undefined) {
    throw new UsageError(`"${operands[0]}" is not expected here; options begin with --.`);
  }
  return values;
}

/**
 * Reads the options of a command, and what stands beside them, in order.
 * @throws UsageError where an option is unknown or lacks its value
 */
export function readArguments<const O extends Options>(
  args: readonly string[],
  options: O,
): { readonly values: Values<O>; readonly operands: readonly string[] } {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'option') checkOption(token, options);
  }
  // The checks have seen that every name is known and every value of its type.
  return { values: values as Values<O>, operands: positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption({ name, rawName, value, inlineValue }: OptionToken, options: Options): void {
  // A name such as `constructor` must not find what every object inherits.
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const like = similar(name, [...Object.keys(options), 'help'], 1);
    throw new UsageError(
      `There is no option ${rawName}. ${didYouMean(like.map((one) => `--${one}`))}`,
    );
  }
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return;
  }
  const swallowed = inlineValue !== true && value?.startsWith('--');
  if (value === undefined || value.trim() === '' || swallowed) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value ?? 'VALUE'}`);
  }
}

/** The option of every command that reads the configuration; `cli.ts` gives its value to whoever reads it. */
export const envOption = {
  env: {
    type: 'string',
    value: 'FILE',
    about:
      'file of variables to read in place of .env; what is set in the environment counts first',
  },
} as const;

export const waitOption = {
  wait: {
    type: 'string',
    value: 'SECONDS',
    about: 'how long to wait for a target that does not answer yet (as WAIT_FOR_TARGET_MS)',
  },
} as const;

/** The options of every command that needs the target alone. */
export const targetOptions = {
  ...envOption,
  'base-url': { type: 'string', value: 'URL', about: 'address of the target (as BASE_URL)' },
  'require-target': {
    type: 'boolean',
    about:
      'end with 2 where no target is configured (as REQUIRE_TARGET=yes); otherwise the embedded reference service is checked',
  },
  ...waitOption,
} as const;

/** The options of every command that runs scenarios. */
export const runOptions = {
  only: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    about:
      'judge only this clause (its id, or the beginning of ids), or the clauses of scenarios with this in their name; may be given several times',
  },
  level: {
    type: 'string',
    multiple: true,
    value: 'LEVEL',
    about: 'judge only clauses of this level: stated, or implied; may be given several times',
  },
  except: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    about:
      'leave these out, as --only chooses them, besides what EXCEPT names; reports show them as left out',
  },
  'read-only': {
    type: 'boolean',
    about: 'assign nothing: run only what needs no write (as ALLOW_WRITES=no)',
  },
  ...targetOptions,
  seed: { type: 'string', value: 'N', about: 'seed of everything random (as SEED)' },
  'report-dir': { type: 'string', value: 'DIR', about: 'folder for the reports (as REPORT_DIR)' },
} as const;

type RunValues = {
  readonly [Name in 'base-url' | 'seed' | 'report-dir' | 'wait']?: string;
} & {
  readonly [Name in 'require-target' | 'read-only']?: boolean;
} & { readonly except?: readonly string[] };

/**
 * The environment, with the values of options in place of its own.
 * @throws ConfigurationError where the file of variables cannot be read, UsageError
 */
export function environmentUnder(values: RunValues, configured = environment()): Environment {
  return {
    ...configured,
    ...(values['base-url'] !== undefined && { BASE_URL: values['base-url'] }),
    ...(values['require-target'] === true && { REQUIRE_TARGET: 'yes' }),
    ...(values.seed !== undefined && { SEED: values.seed }),
    ...(values['report-dir'] !== undefined && { REPORT_DIR: values['report-dir'] }),
    ...waiting(values.wait),
    ...(values['read-only'] === true && { ALLOW_WRITES: 'no' }),
    ...(values.except !== undefined && {
      EXCEPT: [configured.EXCEPT ?? '', ...values.except].filter((text) => text.trim()).join(','),
    }),
  };
}

/**
 * The variable that `--wait` stands for.
 * @throws UsageError
 */
export function waiting(seconds: string | undefined): Environment {
  if (seconds === undefined) return {};
  if (!/^\d{1,4}$/.test(seconds)) {
    throw new UsageError(`--wait: "${seconds}" is not a number of seconds; for example --wait 60`);
  }
  return { WAIT_FOR_TARGET_MS: `${Number(seconds) * 1000}` };
}

/**
 * What `--only` and `--level` choose.
 * @throws UsageError where a level is none that is judged
 */
export function choiceOf({
  only,
  level: levels = [],
}: {
  readonly only?: readonly string[];
  readonly level?: readonly string[];
}): Choice {
  const wrong = levels.find((level) => level !== 'stated' && level !== 'implied');
  if (wrong !== undefined) {
    throw new UsageError(`--level: "${wrong}" is not a level that is judged: stated or implied`);
  }
  // What else is there has been refused.
  return { only, levels: levels as readonly Level[] };
}
