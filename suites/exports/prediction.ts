/*
 * Predicts what a request keeps, compares the answer, and reduces a request that differs to the levels that matter: together,
 * parameters keep the events that each keeps alone, in whatever form the request and its file are.
 */

import {
  type Bounds,
  entriesIn,
  inAny,
  inEach,
  intersection,
  isSubset,
  isWithin,
  keyOfRow,
  type Multiset,
  sum,
  without,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type ExportQuery, selectionOf } from '../../helpers/exports/query.ts';
import { dawn, mayBeTooLarge } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Memory } from '../../helpers/maps.ts';
import { NothingSeen, other, Violation } from '../../helpers/outcomes.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { type Combination, pairsOf } from './covering-array.ts';
import { expectNotAsAnother } from './forms.ts';
import {
  asPdf,
  isFilter,
  isSeveral,
  isTranslating,
  isWithoutRange,
  isWithoutTimezone,
  type Level,
  parameterOf,
  queryOf,
  withEachValueOnce,
  zones,
} from './levels.ts';
import {
  type BothFiles,
  bothFiles,
  expectLocalDatesInPdf,
  expectOpens,
  expectSameEventsInForm,
  expectSameEventsInPdf,
} from './pdf.ts';
import {
  events,
  expectEvents,
  expectSameEvents,
  expectSameInWindow,
  expectServed,
  type Outcome,
  outcomeOf,
  wholeOf,
} from './relations.ts';
import { changingZone, expectDatesInZone } from './timezone.ts';

/** What requests are predicted from, and compared with. */
export interface Model {
  readonly exports: Exports;
  readonly knowledge: Knowledge;
  /** The sample as CSV and PDF: shows how events are printed, where another PDF holds too few to tell. */
  readonly plain?: BothFiles;
  /** The sample in other locales that are served. */
  readonly translated: readonly CsvDownload[];
  /** Whether a file is downloaded again that was asked for before. */
  readonly isAnew?: true;
}

/** A request, its answer, and how this differs from what was predicted. */
export interface Asked extends Outcome {
  readonly levels: Combination;
  readonly answer: Answer;
  /** The request right after which it differs, and only there. */
  readonly after?: Combination;
  /** Whether it holds no event, or as a PDF too few to be compared: it does not show that a clause is kept. */
  readonly isEmpty?: boolean;
  /** Whether it is refused for its size, as it may be, or holds more events than are read. */
  readonly isTooLarge?: boolean;
  /** Why it cannot be said whether its dates are those of the timezone. */
  readonly undecidedDates?: Outcome['undecided'];
}

/** The events of the window that a request must keep at least, and may keep at most. */
function predicted(levels: Combination, knowledge: Knowledge): Bounds {
  const parts = levels.flatMap(({ keeps }) => keeps ?? []);
  return inEach(parts, wholeOf(knowledge));
}

/** What is predicted of a download, whose events from outside the window may be any; and its events in the window. */
function boundsFor(levels: Combination, download: CsvDownload, knowledge: Knowledge) {
  const held = events(download, knowledge.columns);
  const isAnytime = levels.some(isWithoutRange);
  const inWindow = isAnytime ? intersection(held, wholeOf(knowledge)) : held;
  const { least, most } = predicted(levels, knowledge);
  return { inWindow, bounds: { least, most: sum(most, without(held, inWindow)) } };
}

/** How many events tell how a PDF prints one, and that a cover or a title that mentions some is none. */
export const enoughToCompare = 8;

/** Sends one request with these levels, and compares the answer with what is predicted; where a value given twice is refused, with each once. */
export async function ask(levels: Combination, model: Model): Promise<Asked> {
  const query = queryOf(levels);
  const { caller } = levels.find((level) => level.caller) ?? {};
  if (caller) return { levels, answer: await model.exports.file(query, caller) };
  const { start, end } = model.knowledge.window;
  // In the window, or in its own part of it; as it is where the request must have no range.
  const sent = levels.some(isWithoutRange) ? query : { start, end, ...query };
  const asked = await (sent.fileType === 'pdf' ? askPdf : askCsv)(levels, sent, model);
  const usual = withEachValueOnce(levels);
  if (usual.length < levels.length && asked.answer.status >= 400) return await ask(usual, model);
  const orElse = levels[0]?.orElse;
  const isTelling = asked.wrong !== undefined || asked.isEmpty;
  return orElse === undefined || isTelling ? asked : await ask([orElse], model);
}

async function askPdf(levels: Combination, sent: ExportQuery, model: Model): Promise<Asked> {
  const { exports, knowledge } = model;
  const expected = await predictedCsv(levels, model);
  // Without a range there may be more events than a PDF can hold.
  if (expected.table && expected.table.rows.length > pdfEventLimit) {
    return { levels, answer: expected.answer };
  }
  const { fileType: _, ...sentAsCsv } = sent;
  const isInForm = levels.some((level) => level !== asPdf && changesRows(level));
  // First the CSV: what a service keeps of that must not show in the PDF.
  const asCsv = isInForm ? exports.anytime(sentAsCsv, { isAnew: model.isAnew }) : expected;
  if (model.isAnew) await asCsv;
  const [csv, pdf] = await Promise.all([asCsv, exports.pdfAnytime(sent, { isAnew: model.isAnew })]);
  const files = bothFiles({ utc: expected, csv, pdf });
  const { rows = [] } = files.csv.table ?? {};
  const isEmpty = rows.length < enoughToCompare;
  const { plain } = model;
  const outcome = outcomeOf(() => {
    expectServed(`an export with ${requestPhrase(levels)}`, pdf);
    expectOpens(pdf);
    if (isEmpty) return;
    const asked = levels.filter((level) => level !== asPdf).map(parameterOf);
    if (isInForm) {
      if (plain) expectSameEventsInForm(plain, files, knowledge, asked);
      return;
    }
    // What is wrong with every PDF shows in that of the sample, which another scenario judges.
    const isPlainWrong = plain && outcomeOf(() => expectSameEventsInPdf(plain, knowledge)).wrong;
    if (isPlainWrong) throw new NothingSeen();
    expectSameEventsInPdf(files, knowledge, plain, asked);
  });
  const asked = { levels, answer: pdf.answer, isEmpty, ...outcome };
  const hasZone = isInForm && !levels.some(isWithoutTimezone);
  if (!hasZone || plain === undefined || isEmpty) return asked;
  // How dates are written in another language is not learned: there only what is surely wrong is told.
  const isLearned = !isTranslating({ query: sent });
  return withDates(asked, () => expectLocalDatesInPdf(plain, files, knowledge), isLearned);
}

/** A request whose dates are judged too, where nothing else was found wrong with it: events may not be recognized by wrong dates. */
function withDates(asked: Asked, judge: () => void, isDoubtTold: boolean): Asked {
  if (asked.wrong !== undefined) return asked;
  const { wrong, undecided } = outcomeOf(judge);
  const isDoubtful = isDoubtTold && undecided && !(undecided instanceof NothingSeen);
  return { ...asked, ...(wrong && { wrong }), ...(isDoubtful && { undecidedDates: undecided }) };
}

async function askCsv(levels: Combination, sent: ExportQuery, model: Model): Promise<Asked> {
  const { exports, knowledge } = model;
  // Rows of the window are predicted where each level is known and changes no rows; else a CSV of the same events.
  const areRowsPredicted = levels.every((level) => !level.isUnknown && !changesRows(level));
  const isOpen = levels.some(isWithoutRange);
  const expected = areRowsPredicted
    ? undefined
    : await predictedCsv(levels, model, 'in the window');
  const file = await exports.anytime(sent, { isAnew: model.isAnew });
  const download = model.isAnew ? exports.settled(file) : file;
  if (isRefusedAsMayBe(levels, download.answer)) return { levels, answer: download.answer };
  if (await isTooLarge(levels, sent, download, model))
    return { levels, answer: download.answer, isTooLarge: true, isEmpty: true };
  const plain = download.beside ?? expected;
  const outcome = outcomeOf(() => {
    expectServed(`an export with ${requestPhrase(levels)}`, download);
    expectNotTranslated(download, model);
    if (plain === undefined) expectPredicted(levels, download, knowledge);
    else if (levels.some(changesRows)) {
      // A timezone or locale changes how events are written, and not which events they are.
      if (isOpen) expectSameInWindow(requestPhrase(levels), plain, download, knowledge);
      else expectSameEvents(requestPhrase(levels), plain, download, knowledge.columns);
    } else if (plain.table) {
      // The same range and filters alone; where these are refused, nothing is judged.
      const expected = events(plain, knowledge.columns);
      const on = [plain.answer];
      expectEvents(requestPhrase(levels), expected, download, knowledge.columns, { on });
    }
  });
  const isEmpty = download.table?.rows.length === 0;
  const asked = { levels, answer: download.answer, isEmpty, ...outcome };
  if (outcome.wrong !== undefined) {
    if (!areRowsPredicted || outcome.wrong.difference.kind !== 'events') return asked;
    const utc = await predictedCsv(levels, model);
    return { ...asked, wrong: zoneOfAnother(utc, download, knowledge) ?? outcome.wrong };
  }
  const zone = levels.find(({ factor, mayBeRefused }) => factor === 'timezone' && !mayBeRefused)
    ?.query.timezone;
  if (zone === undefined || !plain?.table || plain.table.rows.length === 0) return asked;
  // Beyond the window other events may have come meanwhile.
  if (isOpen && plain.table.rows.length !== download.table?.rows.length) return asked;
  // Where the plain CSV holds other events than it should, its dates may be taken for those of another year.
  const { bounds } = boundsFor(levels, plain, knowledge);
  const isUnknown = levels.some((level) => level.isUnknown);
  if (!isUnknown && !isWithin(bounds, events(plain, knowledge.columns))) return asked;
  const judge = () => expectDatesInZone({ zone, utc: plain, csv: download }, knowledge);
  return withDates(asked, judge, !isOpen);
}

/**
 * Whether an export without a bound holds more events than are read, or is refused with both bounds too: how large a CSV may be is
 * open.
 */
async function isTooLarge(
  levels: Combination,
  sent: ExportQuery,
  { answer, overflowed }: CsvDownload,
  { exports, knowledge: { window } }: Model,
): Promise<boolean> {
  if (!levels.some(isWithoutRange)) return false;
  if (overflowed || !mayBeTooLarge(answer)) return overflowed;
  const withBounds = await exports.anytime({ start: dawn, end: window.end, ...sent });
  return mayBeTooLarge(withBounds.answer);
}

/** Whether the answer is a refusal of a value that the target need not know. */
export function isRefusedAsMayBe(levels: Combination, { status }: Answer): boolean {
  return status >= 400 && levels.some(({ mayBeRefused }) => mayBeRefused);
}

/** @throws Violation where the headings are those of a locale that another request asked for; rows may have changed */
function expectNotTranslated(own: CsvDownload, { translated, knowledge }: Model): void {
  if (isTranslating(own)) return;
  const right = knowledge.base.download;
  for (const another of translated)
    expectNotAsAnother({ own, another, right }, knowledge, ['headings']);
}

/** The violation where dates are written in the zone of some other request; undefined where they fit none. */
function zoneOfAnother(
  utc: CsvDownload,
  download: CsvDownload,
  knowledge: Knowledge,
): Violation | undefined {
  const count = download.table?.rows.length ?? 0;
  if (utc.table?.rows.length !== count || count === 0) return undefined;
  // Most of its rows are those of the window then, dates and all.
  const asInWindow = intersection(events(download, knowledge.columns), wholeOf(knowledge));
  if (asInWindow.size * 2 >= count) return undefined;
  const zone = [...zones, changingZone].find((zone) => {
    const { wrong, undecided } = outcomeOf(() =>
      expectDatesInZone({ zone, utc, csv: download }, knowledge),
    );
    return wrong === undefined && undecided === undefined;
  });
  if (zone === undefined) return undefined;
  const wrong = 'writes as in the timezone of another request';
  return new Violation(other(wrong, { actual: zone }), [download.answer, utc.answer]);
}

/** Whether the level changes how rows are written, so that they do not compare as they are: a timezone, de, a PDF. */
function changesRows(level: Level): boolean {
  return level.factor === 'timezone' || isTranslating(level) || level.name === 'pdf';
}

/** @throws Violation unless the download holds the events that the model predicts */
function expectPredicted(levels: Combination, download: CsvDownload, knowledge: Knowledge): void {
  const parts = levels.filter(selectsEvents);
  if (parts.some(({ onlyIf }) => onlyIf?.(events(download, knowledge.columns)) === false)) return;
  const hasNoLists = parts.length === 1 || !parts.some(isSeveral);
  const [only, ...others] = levels;
  const isFilterAlone = only !== undefined && isFilter(only) && others.length === 0;
  const what = isFilterAlone ? `with ${only.name}` : requestPhrase(levels);
  const { bounds, inWindow } = boundsFor(levels, download, knowledge);
  expectEvents(what, bounds, download, knowledge.columns, {
    ...(isFilterAlone && { parameter: only.factor }),
    ...(hasNoLists && {
      on: parts.flatMap(({ from }) => from.map(({ answer }) => answer)),
      ...(parts.length > 1 && { together: 'all' }),
    }),
    // Only rows of the window show what such a value keeps.
    ...(isFilterAlone &&
      only.shown !== undefined && { shown: only.shown, on: [knowledge.base.download.answer] }),
    why() {
      const why = whyOthers(parts, inWindow, knowledge);
      // A parameter may be honoured, but for a default that is sent too, or for another order.
      const forms = levels.filter((level) => !selectsEvents(level)).map(parameterOf);
      return why.ignored ? { ...why, beside: [...(why.beside ?? []), ...forms] } : why;
    },
  });
}

/** A level that selects events. */
type Part = Level & { readonly keeps: Bounds };
const selectsEvents = (level: Level): level is Part => level.keeps !== undefined;

/** The parameter that a part is blamed on: of a range, its first bound. */
function nameOf({ factor, query: { start } }: Part): string {
  if (factor !== 'range') return factor;
  return start === undefined ? 'range_end' : 'range_start';
}

/**
 * Why an export holds other events than predicted, by those of the window that it holds (`actual`). `ignored`: exactly what is
 * kept without these parameters. `isAnyOf`: what is kept where an event needs to match one of these alone. `lostValues`:
 * values of a list that keep none of their events. {} where its rows show none of these.
 */
function whyOthers(
  parts: readonly Part[],
  actual: Multiset,
  knowledge: Knowledge,
): Pick<EventsDifference, 'ignored' | 'beside' | 'isAnyOf' | 'lostValues'> {
  const lost = lostValues(parts, actual);
  if (lost !== undefined) return { lostValues: lost };
  const whole = wholeOf(knowledge);
  const boundsOf = (group: readonly Part[]): Bounds[] => group.map(({ keeps }) => keeps);
  // The parameters that some row of the export does not match.
  const unmatched = parts.filter(({ keeps }) => !isSubset(actual, keeps.most));
  const matched = parts.filter((part) => !unmatched.includes(part));
  // A filter that is ignored with a value that no event has need not be ignored with others.
  const isOfNone = (part: Part): boolean =>
    isFilter(part) &&
    part.keeps.least.size === 0 &&
    knowledge.filters.known.get(part.factor)?.values[0] !== undefined;
  const areIgnored = unmatched.length > 0 && !unmatched.some(isOfNone);
  if (areIgnored && isWithin(inEach(boundsOf(matched), whole), actual)) {
    return {
      ignored: unmatched.map(nameOf),
      beside: matched.map(nameOf),
    };
  }
  const groups = [parts, ...pairsOf(parts)].filter((group) => group.length > 1);
  const alternatives = groups.find((group) => {
    const rest = parts.filter((part) => !group.includes(part));
    return isWithin(inEach([inAny(boundsOf(group)), ...boundsOf(rest)], whole), actual);
  });
  if (alternatives === undefined) return {};
  return { isAnyOf: true, beside: alternatives.map(nameOf) };
}

/** The places in a list that is asked for alone, from 1, of values that kept none of their events; undefined if all did. */
function lostValues([list, ...others]: readonly Level[], kept: Multiset) {
  if (list === undefined || others.length > 0 || !isSeveral(list)) return undefined;
  const { factor: of, each = [] } = list;
  const places = each.flatMap(({ most }, index) =>
    intersection(most, kept).size === 0 ? [index + 1] : [],
  );
  return places.length === 0 ? undefined : { of, places, count: each.length };
}

/** The predicted CSV of a request, made of rows of the window; downloaded where the prediction leaves anything open. */
async function predictedCsv(
  levels: Combination,
  { exports, knowledge }: Model,
  where: 'in the window' | 'anytime' = 'anytime',
) {
  const { base, columns, window, original, isSettledInForms } = knowledge;
  const selection = selectionOf(queryOf(levels));
  const { least, most } = predicted(levels, knowledge);
  const isOpen = levels.some(({ isUnknown }) => isUnknown) || least.size < most.size;
  const isWithout = levels.some(isWithoutRange);
  // Nothing is taken out of a PDF.
  const isSettled = original === knowledge || (isSettledInForms && !levels.includes(asPdf));
  if (!isSettled || isOpen || (isWithout && where === 'anytime'))
    return await (isWithout ? exports.anytime(selection) : exports.within(selection));
  const { start, end } = window;
  return {
    ...base.download,
    query: { start, end, ...base.utc, ...selection },
    table: tableOfEvents(least, base.table, columns.ignored),
  };
}

/** The rows of a table that these events are, each without the columns that are ignored; one table for the same rows. */
function tableOfEvents(events: Multiset, whole: CsvTable, ignored: ReadonlySet<number>): CsvTable {
  const left = new Map(Array.from(entriesIn(events), ([key, { times }]) => [key, times]));
  const indexes = [...whole.rows.keys()].filter((index) => {
    const key = keyOfRow(whole.rows[index] ?? [], ignored);
    const times = left.get(key) ?? 0;
    left.set(key, times - 1);
    return times > 0;
  });
  return tables.get(whole, [...ignored, '', ...indexes].join(' '), () => {
    const rows = indexes.map((index) =>
      (whole.rows[index] ?? []).map((cell, at) => (ignored.has(at) ? '' : cell)),
    );
    return { ...whole, rows };
  });
}

/** PDFs are compared with these: what one holds is found out once for a table. */
const tables = new Memory<CsvTable, string, CsvTable>();

const maxAttempts = 20;

/**
 * The fewest, simplest levels that differ alike: leaves some out, those that select no events first, then simplifies others.
 * @param sample a small range, as large PDFs are slow to make and to read: in place of the range until the end, if it shows the difference
 */
export async function reduced(
  first: Asked & { readonly wrong: Violation },
  model: Model,
  sample?: Level,
): Promise<Asked & { readonly wrong: Violation }> {
  let least = first;
  let attempts = 0;
  const attempt = async (levels: Combination, asks = model): Promise<boolean> => {
    if (levels.length === 0 || attempts === maxAttempts) return false;
    attempts += 1;
    const { wrong, ...asked } = await ask(levels, asks);
    if (wrong === undefined || !isAlike(wrong, first.wrong)) return false;
    least = { ...asked, wrong };
    return true;
  };
  const leaving = (factor: Level['factor']): Combination =>
    least.levels.filter((one) => one.factor !== factor);
  const attemptInSample = async (): Promise<void> => {
    if (sample && !least.levels.includes(sample)) await attempt([...leaving('range'), sample]);
  };
  await attemptInSample();
  const plainer = least.levels.filter((one) => selectsEvents(one) || one === asPdf);
  if (plainer.length < least.levels.length - 1) await attempt(plainer);
  for (const level of least.levels.toSorted(
    (a, b) => Number(selectsEvents(a)) - Number(selectsEvents(b)),
  )) {
    // Too few events in the sample show nothing: with a filter less they are more.
    if (level !== sample && (await attempt(leaving(level.factor)))) await attemptInSample();
  }
  for (const level of least.levels) {
    for (const simpler of level.simpler ?? []) {
      const fewer = least.levels.map((one) => (one.factor === level.factor ? simpler : one));
      if (await attempt(fewer)) break;
    }
  }
  // What selects no events is to blame only where it is so by now: the request without it may be from long ago.
  for (const { factor } of least.levels.filter((one) => !selectsEvents(one))) {
    await attempt(leaving(factor), { ...model, isAnew: true });
  }
  if (sample && least.levels.includes(sample)) await attempt(leaving('range'));
  return least;
}

/** Whether two violations are of one kind; of events, whether in both some are missing, or in both some are extra. */
export function isAlike({ difference: one }: Violation, { difference: other }: Violation): boolean {
  if (one.kind === 'status' && other.kind === 'status') return true;
  if (one.kind !== 'events' || other.kind !== 'events') return one.kind === other.kind;
  return (one.missing > 0 && other.missing > 0) || (one.extra > 0 && other.extra > 0);
}

/** The request in words: “file_type=pdf, range_end, several values of event_type and parameters in reverse order”. */
export function requestPhrase(levels: Combination): string {
  const isWriting = ({ factor }: Level): boolean =>
    ['order', 'writing', 'headers'].includes(factor);
  const place = (level: Level): number => (isWriting(level) ? 2 : Number(isFilter(level)));
  const names = levels.toSorted((one, other) => place(one) - place(other)).map(parameterOf);
  return inWords.format(names.length > 0 ? names : ['a range']);
}

const inWords = new Intl.ListFormat('en-GB');
