import { isObject } from './validation.ts';

/** The object that a text holds as JSON; undefined where it holds something else. */
export function jsonObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
