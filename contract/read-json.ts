import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { cut, printableLine } from '../reports/printable.ts';

/** A file does not hold what it should. The message names it, and what is wrong with it. */
export class FileError extends Error {
  override readonly name: string = 'FileError';
}

const shownProblems = 5;

/**
 * Reads a JSON text that fits a schema.
 * @param file its name, for errors
 * @param what it should hold, for errors
 * @throws FileError
 */
export function parseJson<Content>(
  text: string,
  file: string,
  what: string,
  validate: ValidateFunction<Content>,
): Content {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new FileError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (validate(content)) return content;
  const errors = validate.errors ?? [];
  const hidden = errors.length - shownProblems;
  throw new FileError(
    [
      `${file} holds no ${what}:`,
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
