/** Whether a value is what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** In characters; long enough for two comments of 4,000 to show where they differ. */
const maxJson = 5000;

/** A value as JSON, cut where it is very long; reports show as much of it as they have room for. */
export function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'missing';
  return json.length > maxJson ? `${json.slice(0, maxJson - 1)}…` : json;
}
