import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv/dist/2020.js';
import {
  configurationSchema,
  jsonFormats,
  schemaOf,
  type Variable,
  variableNames,
  variables,
} from '../../schemas/configuration.ts';
import { ajv } from '../ajv.ts';
import { didYouMean, similar } from '../did-you-mean.ts';
import { ConfigurationError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { userInfoOf, withoutTrailingSlash, withoutUserInfo } from './addresses.ts';
import { type Settings, settingsOf, type Values } from './settings.ts';

/** Variables by name, as process.env has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const jsonValidators = new Map(
  Object.entries(jsonFormats).map(([format, schema]) => [format, ajv.compile(schema)]),
);
for (const [format, isValid] of jsonValidators) {
  ajv.addFormat(format, { type: 'string', validate: (text: string) => isValid(parseJson(text)) });
}
const isConfiguration = ajv.compile(configurationSchema);

/**
 * The settings of a run against a target that is named.
 *
 * @param environment variables by name, as process.env has them; empty ones count as not set
 * @param randomSeed a seed for runs that are given none
 * @throws ConfigurationError
 */
export function readSettings(environment: Environment, randomSeed: number): Settings {
  const values = withKeyOfFile(valuesOf(environment));
  const errors = isConfiguration(values) ? [] : (isConfiguration.errors ?? []);
  const problems = [...errors.map((error) => problemOf(error, values)), ...contradictions(values)];
  if (problems.length > 0) throw new ConfigurationError([...new Set(problems)].join('\n'));
  const envFile = environment.ENV_FILE?.trim();
  return settingsOf(values, { seed: randomSeed, envFile, secrets: secretsIn(values) });
}

/**
 * Whether the variables name a target; without one the embedded reference service is checked.
 * @throws ConfigurationError where BASE_URL is missing although other variables imply a target: API_KEY is set, a file
 *   of variables is named, or a target is required. A verdict on the embedded service must not pass for one on it
 */
export function namesTarget(environment: Environment): boolean {
  const values = valuesOf(environment);
  if (values.BASE_URL !== undefined) return true;
  const telling = variableNames.filter((name) => {
    const { scope, enum: choices } = schemaOf(name);
    // A `no` holds for every target, so it implies none.
    const isNo = choices !== undefined && values[name] === 'no';
    return scope === 'target' && values[name] !== undefined && !isNo;
  });
  const file = environment.ENV_FILE?.trim();
  if (telling.length === 0 && !file) return false;
  const isRequired = values.REQUIRE_TARGET === 'yes';
  const implied =
    telling.length > 0
      ? `${enumerated(telling)} ${telling.length === 1 ? 'is' : 'are'} set`
      : `a file of variables is named (${file})`;
  const why = isRequired ? 'a target is required (--require-target, REQUIRE_TARGET)' : implied;
  const what =
    environment.BASE_URL === undefined
      ? 'missing'
      : `set to nothing, in ${file || '.env'} or in the environment`;
  const otherwise = isRequired
    ? ''
    : '; or say --embedded, to check the embedded reference service';
  throw new ConfigurationError(
    `BASE_URL: ${what}, while ${why}; give the address of the target, for example ${variables.BASE_URL.examples[0]}${otherwise}`,
  );
}

/** "A", "A and B", "A, B and 3 more". */
function enumerated(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return new Intl.ListFormat('en-GB').format(shown);
}

/** The environment for a run on another service, as the embedded one: without a target and how it is reached. */
export function withoutTarget(environment: Environment): Environment {
  const names: readonly string[] = variableNames.filter((name) => schemaOf(name).scope === 'run');
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.includes(name)));
}

/** Shorter passwords are not redacted: they may be words that records hold for other reasons. */
const minPassword = 8;

/**
 * What must not appear in any record: keys, and passwords in each form in which a record may hold them.
 * @param environment valid or not: messages about wrong variables must not hold secrets either
 */
export function secretsIn(environment: Environment): string[] {
  const values = valuesOf(environment);
  const { API_KEY_FILE: path, API_KEY = path && contentOf(path) } = values;
  // Object.entries forgets which names there are.
  return (
    Object.entries({ ...values, ...(API_KEY && { API_KEY }) }) as [Variable, string][]
  ).flatMap(([name, value]) => {
    const { confidential, format } = schemaOf(name);
    if (confidential === 'key') return [value];
    const passwords = confidential === 'password' ? [value] : [];
    if (format === 'url') passwords.push(...passwordsIn(value));
    return passwords.filter((password) => password.length >= minPassword);
  });
}

/** The variables with the key that API_KEY_FILE holds as API_KEY. @throws ConfigurationError where it holds none */
function withKeyOfFile(values: Values): Values {
  const { API_KEY_FILE: path } = values;
  if (path === undefined) return values;
  const name = 'API_KEY_FILE';
  if (values.API_KEY !== undefined) {
    throw new ConfigurationError(`${name} and API_KEY are both set; give one of them`);
  }
  const content = contentOf(path);
  if (content === undefined) throw new ConfigurationError(`${name}: "${path}" cannot be read`);
  if (!new RegExp(variables.API_KEY.pattern).test(content)) {
    throw new ConfigurationError(`${name}: what "${path}" holds is not ${variables.API_KEY.title}`);
  }
  return { ...values, API_KEY: content };
}

/** What a file holds, without white space around it; undefined where it cannot be read. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The password in an address: as it stands there, decoded, and as a Basic header carries it. Empty: there is none. */
function passwordsIn(url: string): string[] {
  const { user = '', password } = userInfoOf(url);
  if (password === undefined) return [];
  const header = Buffer.from(`${user}:${password}`).toString('base64');
  return [new URL(url).password, password, header];
}

/** The variables that are set, without white space around them; lists are separated by commas. */
function valuesOf(environment: Environment): Values {
  const given = variableNames.flatMap((name) => {
    const { isAlsoLowerCase } = schemaOf(name);
    const inLowerCase = isAlsoLowerCase ? environment[name.toLowerCase()] : undefined;
    const value = (environment[name] ?? inLowerCase)?.trim();
    if (value === undefined || value === '') return [];
    return [[name, schemaOf(name).isList ? withCommas(value) : value] as const];
  });
  return Object.fromEntries(given);
}

/** A list given as JSON, `["a","b"]`, as `a,b`; any other value as it is. */
function withCommas(value: string): string {
  const json = value.startsWith('[') ? parseJson(value) : undefined;
  const isTexts = Array.isArray(json) && json.every((item) => typeof item === 'string');
  return isTexts ? json.map((item) => item.trim()).join(',') : value;
}

/** What is wrong with a variable, in a line for people: its name, its form, and an example. */
function problemOf({ instancePath }: ErrorObject, values: Values): string {
  // The schema is flat: the path of every error is the name of a variable.
  const name = instancePath.slice(1) as Variable;
  const { title, confidential, format } = schemaOf(name);
  const value = values[name] ?? '';
  const example = `for example ${exampleFor(name, value)}`;
  if (confidential !== undefined) {
    return `${name}: must be ${title} (its value is not shown); ${example}`;
  }
  const inJson = jsonProblem(format, parseJson(value));
  if (inJson !== undefined) return `${name}: ${inJson} F${example.slice(1)}`;
  return `${name}: "${withoutUserInfo(value)}" is not ${title}; ${example}`;
}

/** An example for a variable; a BASE_URL that lacks only /v5 is completed. */
function exampleFor(name: Variable, value: string): string {
  const completed = `${withoutTrailingSlash(value)}/v5`;
  const isCompleted =
    name === 'BASE_URL' &&
    !/[\s@]|\/v\d+\/?$/.test(value) &&
    isConfiguration({ BASE_URL: completed });
  return isCompleted ? completed : (schemaOf(name).examples[0] ?? '');
}

/** What is wrong inside a JSON value; undefined where it is no object, or the whole of it is wrong. */
function jsonProblem(format: string | undefined, json: unknown): string | undefined {
  const isValid = jsonValidators.get(format ?? '');
  if (isValid === undefined || typeof json !== 'object' || isValid(json)) return undefined;
  const [error] = isValid.errors ?? [];
  const place = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  if (error?.keyword === 'additionalProperties') {
    const { additionalProperty: unknown } = error.params;
    const known = Object.keys(error.parentSchema?.properties ?? {});
    const what = place === '' ? 'filter' : `key of ${place}`;
    return `there is no ${what} "${unknown}". ${didYouMean(similar(String(unknown), known, 1))}`;
  }
  if (place === '') return undefined;
  const expected = /\.\d+$/.test(place)
    ? 'a text that is not empty'
    : error?.params.type === 'object'
      ? 'an object'
      : 'a list of one text or more';
  return `${place} must be ${expected}.`;
}

/** Variables that need another one, and why. */
const needed: readonly (readonly [set: Variable, missing: Variable, why: string])[] = [
  ['BASE_URL', 'API_KEY', 'with BASE_URL set, a valid key of that target is needed'],
  [
    'MAILBOX_USER',
    'MAILBOX_PASSWORD',
    'with MAILBOX_USER set, the password of that user is needed',
  ],
  ['CLIENT_CERT_FILE', 'CLIENT_KEY_FILE', 'CLIENT_CERT_FILE is of no use without it'],
  ['CLIENT_KEY_FILE', 'CLIENT_CERT_FILE', 'CLIENT_KEY_FILE is of no use without it'],
];

/** What is wrong between variables that are valid by themselves, a line for each. */
function contradictions(values: Values): string[] {
  const found = needed
    .filter(([set, missing]) => values[set] !== undefined && values[missing] === undefined)
    .map(([, missing, why]) => `${missing}: missing; ${why}`);
  const { EXPORT_RANGE_START: start, EXPORT_RANGE_END: end } = values;
  if (start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)) {
    found.push(`EXPORT_RANGE_END: "${end}" is not later than EXPORT_RANGE_START "${start}"`);
  }
  return found;
}
