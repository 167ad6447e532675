import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { ajv } from '../helpers/ajv.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { didYouMean, similar } from '../helpers/did-you-mean.ts';
import { ConfigurationError, UserError } from '../helpers/errors.ts';
import { isObject } from '../helpers/json.ts';
import { profileOf } from '../reports/fidelity.ts';
import { cut, printableLine } from '../reports/printable.ts';
import { clauseIds } from '../schemas/clauses.ts';
import { type Profile, profileSchema, type Waiver, waiversSchema } from '../schemas/files.ts';
import { type Results, resultsSchema } from '../schemas/results.ts';

// The JSON files that a run or a person hands over are read and validated here, and nowhere else.

/** The kinds of files: what one holds in words, and its schema. */
const kinds = {
  results: { one: 'valid results of a run', schema: resultsSchema },
  profile: { one: 'a valid profile of a target', schema: profileSchema },
  waivers: { one: 'valid waivers', schema: waiversSchema },
} as const;

type Kinds = { results: Results; profile: Profile; waivers: Waiver[] };

/** The file in the working directory from which waivers are read where WAIVERS_FILE is not set. */
export const usualWaiversFile = 'waivers.json';

const shownProblems = 5;

/** The results of a run. @param path of a results.json, or of a folder with the reports of a run @throws UserError */
export async function readResults(path: string): Promise<Results> {
  return parseFile('results', ...(await textOf(path, 'results of a run')));
}

/**
 * The results of a run, or the profile of a target: whichever the file holds.
 * @param path as for `readResults`, or of a profile.json
 * @throws UserError
 */
export async function readResultsOrProfile(path: string): Promise<Results | Profile> {
  const [text, file] = await textOf(path, 'results of a run, or a profile');
  const content = jsonOf(text, file);
  const isProfile = isObject(content) && 'observations' in content;
  return validated(isProfile ? 'profile' : 'results', content, file);
}

/** The profile of a target, of its own file or of the results of a run. @throws UserError */
export async function readProfile(path: string): Promise<Profile> {
  const read = await readResultsOrProfile(path);
  return 'clauses' in read ? profileOf(read) : read;
}

/**
 * The waivers of the configured file; none where no file is named and the usual one, `waivers.json` in the working
 * directory, is not there.
 * @throws ConfigurationError where it cannot be read
 * @throws UserError as `parseWaivers`
 */
export async function readWaivers({
  waiversFile,
}: Pick<Settings, 'waiversFile'>): Promise<Waiver[]> {
  const file = waiversFile ?? usualWaiversFile;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (waiversFile === undefined && isMissing(error)) return undefined;
    const what = isMissing(error)
      ? `there is no file "${file}"`
      : `"${file}" cannot be read (${messageOf(error)})`;
    throw new ConfigurationError(
      `WAIVERS_FILE: ${what}; give the path of a file of waivers, for example waivers.json`,
    );
  });
  return text === undefined ? [] : parseWaivers(text, file);
}

/**
 * The content of a file of waivers.
 * @param file its name, for errors
 * @throws UserError where it does not fit its schema, or names a clause twice or an unknown one
 */
export function parseWaivers(text: string, file: string): Waiver[] {
  const waivers = parseFile('waivers', text, file);
  const problems = waivers.flatMap(({ clause }, index) => {
    const entry = `entry ${index + 1}`;
    if (!clauseIds.some((id) => id === clause)) {
      return `${entry}: no clause is called "${clause}". ${didYouMean(similar(clause, clauseIds))}`;
    }
    const first = waivers.findIndex((other) => other.clause === clause);
    return first === index ? [] : `${entry}: "${clause}" has a waiver already. Keep one.`;
  });
  if (problems.length > 0) throw unusable('waivers', file, problems);
  return waivers;
}

/** The content of a file, validated. @param file its name, for errors @throws UserError */
export function parseFile<Kind extends keyof Kinds>(
  kind: Kind,
  text: string,
  file: string,
): Kinds[Kind] {
  return validated(kind, jsonOf(text, file), file);
}

/** What an error says; anything else that was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error says that a file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * The text of a file, or of the results.json in a folder, with the path of the file.
 * @param wanted what it is to hold, for errors
 * @throws UserError
 */
async function textOf(path: string, wanted: string): Promise<[text: string, file: string]> {
  let isFolder = false;
  try {
    isFolder = (await stat(path)).isDirectory();
    const file = isFolder ? join(path, 'results.json') : path;
    return [await readFile(file, 'utf8'), file];
  } catch (error) {
    if (!isMissing(error)) throw new UserError(`${path} cannot be read: ${messageOf(error)}`);
    const where = isFolder
      ? `the folder "${path}" has no results.json`
      : `there is no file or folder "${path}"`;
    throw new UserError(
      `Expected ${wanted}, but ${where}. Give the path of a results.json, or of the folder that holds it: a run writes one into its REPORT_DIR, for example reports/latest/results.json.`,
    );
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${messageOf(error)}`);
  }
}

/** Content that fits the schema of its kind. @throws UserError where it does not, or another version wrote the file */
function validated<Kind extends keyof Kinds>(
  kind: Kind,
  content: unknown,
  file: string,
): Kinds[Kind] {
  const { schema } = kinds[kind];
  const format = 'properties' in schema ? schema.properties.format.const : undefined;
  const { format: written = format, $schema: name = schema.$id } = isObject(content) ? content : {};
  // A file of another kind has formats of its own.
  if (name === schema.$id && format && typeof written === 'number' && written !== format) {
    const [which, advice] =
      written < format
        ? ['an earlier', 'Run the contract again to make it anew.']
        : ['a later', 'Update the suite.'];
    throw new UserError(
      `${file} was written by ${which} version of the suite (format ${written}; this version reads format ${format}). ${advice}`,
    );
  }
  // Compiled when it is first needed, and once.
  const validate = ajv.compile(schema);
  if (validate(content)) return content as Kinds[Kind]; // The schema of a kind is that of its type.
  throw unusable(kind, file, (validate.errors ?? []).map(problem));
}

function unusable(kind: keyof Kinds, file: string, problems: readonly string[]): UserError {
  const hidden = problems.length - shownProblems;
  return new UserError(
    [
      `${file} does not hold ${kinds[kind].one}:`,
      ...problems.slice(0, shownProblems).map((each) => `  ${each}`),
      ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ].join('\n'),
  );
}

/** What is wrong at one place of a file: `entry 1, expires: must be a day`. */
function problem({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string {
  const where = cut(printableLine(place(instancePath.split('/').slice(1))), 120);
  switch (keyword) {
    case 'enum':
      return `${where}: must be one of ${params.allowedValues.join(', ')}`;
    case 'const':
      return `${where}: must be ${JSON.stringify(params.allowedValue)}`;
    case 'additionalProperties':
      return `${where}: must not have "${cut(printableLine(params.additionalProperty), 80)}"`;
    case 'pattern':
    case 'format':
      return `${where}: ${parentSchema?.title === undefined ? message : `must be ${parentSchema.title}`}`;
    default:
      return `${where}: ${message}`;
  }
}

/** A place in a file: `clauses.0`, or `entry 1, reason` where the file holds a list. */
function place(path: readonly string[]): string {
  const [first, ...fields] = path;
  if (first === undefined) return 'the whole';
  if (!/^\d+$/.test(first)) return path.join('.');
  return [`entry ${Number(first) + 1}`, ...fields].join(', ');
}
