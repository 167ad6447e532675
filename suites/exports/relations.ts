import type { Row } from '../../helpers/csv/csv-form.ts';
import { type Bounds, deviation, difference, type Multiset } from '../../helpers/csv/multiset.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import { eventsOf, type Knowledge } from '../../helpers/exports/knowledge.ts';
import { describeQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NotJudged, Violation } from '../../helpers/outcomes.ts';

/** For clauses that nothing can be said of without events. */
export function noEvents(): NotJudged {
  return new NotJudged(
    'Not configured: EXPORT_RANGE_START and EXPORT_RANGE_END: a window that holds events; none were found.',
  );
}

type Ignored = Pick<Knowledge, 'ignored'>;

/** The events of a download. @throws Inconclusive where it holds no table */
export function events(download: CsvDownload, { ignored }: Ignored): Multiset {
  return eventsOf(tableOf(download), ignored);
}

/** @throws Violation where the request is refused although the document allows it */
export function expectServed(what: string, { query, answer }: CsvDownload): void {
  if (answer.status !== 400 && answer.status !== 422) return;
  throw new Violation(`${what} (${describeQuery(query)})`, {
    expected: '200',
    actual: `${answer.status}`,
    on: [answer],
  });
}

/** @throws Violation unless the download holds exactly these events, in whatever order */
export function expectEvents(
  what: string,
  expected: Multiset,
  download: CsvDownload,
  knowledge: Ignored,
  on: readonly Answer[] = [],
): void {
  expectWithin(what, { least: expected, most: expected }, download, knowledge, on);
}

/** @throws Violation unless the download holds all events that it must, and none beyond those that it may */
export function expectWithin(
  what: string,
  bounds: Bounds,
  download: CsvDownload,
  knowledge: Ignored,
  on: readonly Answer[] = [],
): void {
  const actual = events(download, knowledge);
  const { missing, extra } = deviation(bounds, actual);
  if (missing.length === 0 && extra.length === 0) return;
  const [least, most] = [bounds.least.size, bounds.most.size];
  throw new Violation(`${what} (${describeQuery(download.query)})`, {
    expected: least >= most ? counted(least) : `${least} to ${counted(most)}`,
    actual: [counted(actual.size), ...deviations(missing, extra)].join('; '),
    on: [download.answer, ...on],
  });
}

/** @throws Violation unless the download holds no event that is not among these */
export function expectOnlyOf(
  what: string,
  allowed: Multiset,
  download: CsvDownload,
  knowledge: Ignored,
): void {
  const actual = events(download, knowledge);
  const { extra } = difference(allowed, actual);
  if (extra.length === 0) return;
  throw new Violation(`${what} (${describeQuery(download.query)})`, {
    expected: `only events among ${counted(allowed.size)}`,
    actual: deviations([], extra).join('; '),
    on: [download.answer],
  });
}

/** @throws Violation where the download holds any event */
export function expectNoEvents(what: string, download: CsvDownload): void {
  const { count } = tableOf(download);
  if (count === 0) return;
  throw new Violation(`${what} (${describeQuery(download.query)})`, {
    expected: 'no events',
    actual: counted(count),
    on: [download.answer],
  });
}

function deviations(missing: readonly Row[], extra: readonly Row[]): string[] {
  const [lost] = missing;
  const [added] = extra;
  return [
    ...(lost === undefined ? [] : [`${missing.length} missing, first ${shown(lost)}`]),
    ...(added === undefined ? [] : [`${extra.length} too many, first ${shown(added)}`]),
  ];
}

function counted(count: number): string {
  return count === 1 ? '1 event' : `${count} events`;
}

/** The beginning of a row, for a person to find it by. */
function shown(row: Row): string {
  const text = row
    .filter((cell) => cell !== '')
    .join(' | ')
    .replace(/\s+/g, ' ');
  return `[${text.length > 90 ? `${text.slice(0, 89)}…` : text}]`;
}
