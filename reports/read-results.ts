import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Results, resultsSchema } from '../schemas/results.ts';
import { cut, printableLine } from './printable.ts';

/** A file holds no results. The message names it, and what is wrong with it. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError';
}

const validate = new Ajv2020({ allErrors: true, validateSchema: false }).compile<Results>(
  resultsSchema,
);
const shownProblems = 5;

/**
 * The results of a run.
 * @param path of a results.json, or of a folder with the reports of a run
 * @throws ResultsError
 */
export async function readResults(path: string): Promise<Results> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, 'results.json') : path;
    return parseResults(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof ResultsError) throw error;
    throw new ResultsError(`${path}: ${(error as Error).message}`);
  }
}

/**
 * Reads the content of results.json.
 * @param file its name, for errors
 * @throws ResultsError
 */
export function parseResults(text: string, file: string): Results {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ResultsError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (validate(content)) return content;
  const errors = validate.errors ?? [];
  const hidden = errors.length - shownProblems;
  throw new ResultsError(
    [
      `${file} holds no results of a run:`,
      ...errors.slice(0, shownProblems).map((error) => `  ${problem(error)}`),
      ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ].join('\n'),
  );
}

function problem({ instancePath, keyword, params, message }: ErrorObject): string {
  const at = instancePath === '' ? 'the whole' : instancePath.slice(1).replaceAll('/', '.');
  switch (keyword) {
    case 'enum':
      return `${at}: must be one of ${params.allowedValues.join(', ')}`;
    case 'const':
      return `${at}: must be ${JSON.stringify(params.allowedValue)}`;
    case 'additionalProperties':
      return `${at}: must not have "${cut(printableLine(params.additionalProperty), 80)}"`;
    default:
      return `${cut(printableLine(at), 120)}: ${message}`;
  }
}
