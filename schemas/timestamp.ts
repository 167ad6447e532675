/** ISO 8601 datetime in UTC: `Z` or `+00:00`, any number of fractional digits or none (Resources and their fields). */
export const timestampPattern =
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|\\+00:00)$';

const form = new RegExp(timestampPattern);

/** Whether the text is an ISO 8601 UTC datetime of a day and a time that exist: 30 February and 25:00 do not. */
export function isTimestamp(text: string): boolean {
  if (!form.test(text)) return false;
  const [year, month, day, hour, minute, second] = text.split(/\D/).map(Number);
  const date = new Date(0);
  // setUTCFullYear, unlike Date.UTC, does not move the years 0 to 99 to 1900.
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  const dayExists = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  // ISO 8601 allows 23:59:60 for a leap second.
  const timeExists = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60;
  return dayExists && timeExists;
}
