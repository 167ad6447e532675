import { parseArgs } from 'node:util';
import { UsageError } from '../contract/usage.ts';
import { nearest } from '../reports/nearest.ts';

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
    const [likest] = nearest(name, [...Object.keys(options), 'help']);
    throw new UsageError(`There is no option ${rawName}. Nearest: --${likest}`);
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
