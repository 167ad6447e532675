/** ISO 8601 datetime in UTC: `Z` or `+00:00`, any number of fractional digits or none (Resources and their fields). */
export const timestampPattern =
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|\\+00:00)$';

const form = new RegExp(timestampPattern);

/** Whether the text is an ISO 8601 UTC datetime of a day and a time that exist: 30 February and 25:00 do not. */
export function isTimestamp(text: string): boolean {
  // ISO 8601 allows 23:59:60 for a leap second.
  const second = text.slice(0, 19).replace(/:60$/, ':59');
  const date = new Date(`${second}Z`);
  // Some days that do not exist are read as later ones.
  return form.test(text) && date.toJSON()?.startsWith(second) === true;
}
