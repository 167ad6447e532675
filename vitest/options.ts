import type { FilterValues, Settings } from '../helpers/config/settings.ts';
import { didYouMean, similar } from '../helpers/did-you-mean.ts';
import { ConfigurationError } from '../helpers/errors.ts';
import { type Variable, variableNames, type variables } from '../schemas/configuration.ts';

/** What options may hold whose variables have these formats. */
interface Formats {
  readonly 'iso-utc': string | Date;
  readonly 'filter-values': FilterValues;
  readonly 'user-emails': Settings['userEmails'];
  readonly 'team-emails': Settings['teamEmails'];
}

/** The type of an option, by the schema of its variable: a list for `isList`, a number for `isInteger`. */
type Held<Schema> = Schema extends { isList: true }
  ? string | readonly string[]
  : Schema extends { isInteger: true }
    ? number
    : Schema extends { format: infer Format extends keyof Formats }
      ? Formats[Format]
      : Schema extends { enum: readonly (infer One)[] }
        ? One extends 'yes' | 'no'
          ? boolean
          : One
        : string;

type OptionName<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<OptionName<Rest>>}`
  : Lowercase<Name>;

/** Every variable as an option: TASK_IDS as `taskIds`. */
type VariableOptions = {
  readonly [Name in Variable as OptionName<Name>]?: Held<(typeof variables)[Name]> | undefined;
};

/**
 * The options of `contractSuite`: the configuration of a run, by the names of its variables in camel case (`taskIds`
 * for TASK_IDS), which `.env.example` explains. Only `baseUrl` and a key are needed; tests of clauses that need another
 * option are skipped, with the name of its variable. Neither the environment nor `.env` is read. Reports are written
 * only where `reportDir` is given.
 */
export interface ContractOptions extends VariableOptions {
  /** Title of the suite; "the contract at" the address unless given. */
  readonly name?: string | undefined;
  /** Judge only clauses with these ids or beginnings of ids, or of scenarios with these texts in their names. */
  readonly only?: readonly string[] | undefined;
  /** Base address of the service, ending in `/v5`. */
  readonly baseUrl: string;
}

const variableOf = new Map(variableNames.map((name) => [optionNameOf(name), name]));

/** The options as variables, for `readSettings` to parse. @throws ConfigurationError where there is no such option */
export function variablesOf({
  name: _,
  only,
  ...options
}: ContractOptions): Partial<Record<Variable, string>> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => {
      const variable = variableOf.get(name);
      if (variable !== undefined) return [variable, textOf(value)];
      const like = similar(name, ['name', 'only', ...variableOf.keys()], 1);
      throw new ConfigurationError(`There is no option ${name}. ${didYouMean(like)}`);
    }),
  );
}

function optionNameOf(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The value of an option as a variable holds it: a list with commas, an object as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(',');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
