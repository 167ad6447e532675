import { isObject } from './validation.ts';

/** The value that a text holds as JSON; undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON object that a text holds; undefined where it holds a list, another value or no JSON. */
export function jsonObject(text = ''): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
