import { readFile } from 'node:fs/promises';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { ajv } from '../helpers/ajv.ts';
import { ConfigurationError } from '../helpers/config/read-settings.ts';
import { isMissing } from '../reports/missing.ts';
import { nearest } from '../reports/nearest.ts';
import { clauseIds } from '../schemas/clauses.ts';
import { type Waiver, waiversSchema } from '../schemas/waivers.ts';

const usual = 'waivers.json';

const validate = ajv.compile<Waiver[]>(waiversSchema);

/**
 * The waivers of a file; none where no file is named and the usual one is not there.
 * @param file unless given, `waivers.json` in the working directory
 * @throws ConfigurationError where it cannot be read or is not what it should be
 */
export async function readWaivers(file: string | undefined): Promise<Waiver[]> {
  let text: string;
  try {
    text = await readFile(file ?? usual, 'utf8');
  } catch (error) {
    if (file === undefined && isMissing(error)) return [];
    throw new ConfigurationError(`WAIVERS_FILE: ${(error as Error).message}`);
  }
  return parseWaivers(text, file ?? usual);
}

/**
 * Reads the content of a file of waivers.
 * @param file its name, for errors
 * @throws ConfigurationError where it is no JSON, does not fit the schema, or names a clause twice or one that is
 *   not there; the message says where, and what to write instead
 */
export function parseWaivers(
  text: string,
  file: string,
  known: readonly string[] = clauseIds,
): Waiver[] {
  const waivers = parsed(text, file);
  if (!validate(waivers)) {
    const problems = (validate.errors ?? []).map((error) => problem(error, file));
    throw new ConfigurationError(problems.join('\n'));
  }
  const problems = waivers.flatMap(({ clause }, index) => {
    const at = `${file}, entry ${index + 1}`;
    if (!known.includes(clause)) {
      return `${at}: no clause is called "${clause}". Nearest: ${nearest(clause, known).join(', ')}`;
    }
    const first = waivers.findIndex((other) => other.clause === clause);
    return first === index ? [] : `${at}: "${clause}" has a waiver already. Keep one.`;
  });
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return waivers;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

function problem({ instancePath, keyword, params, message }: ErrorObject, file: string): string {
  const [, index, field] = instancePath.split('/');
  const place = index === undefined ? file : `${file}, entry ${Number(index) + 1}`;
  const at = field === undefined ? place : `${place}, ${field}`;
  if (keyword === 'additionalProperties') {
    return `${at}: "${params.additionalProperty}" is not a field of a waiver`;
  }
  if (keyword === 'format') return `${at}: must be a date like 2026-12-31`;
  if (field === 'issue') return `${at}: must be an http(s) address`;
  if (keyword === 'pattern') return `${at}: must not be empty`;
  return `${at}: ${message}`;
}
