import type { DatesDifference, EventsDifference } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { printableLine } from '../printable.ts';
import { counted } from '../wording.ts';
import { closing, type Told } from './ending.ts';
import { needsPdftotext } from './shell.ts';

/*
 * Commands that compare exported files line by line, and say what differs. They know nothing of columns: one event is a
 * line, and is written alike in two files.
 */

/** Puts events that take several lines into one each; files of which quotes are not closed stay as they are. */
const joinFunction = `joinLines() { for one; do LC_ALL=C awk '{ quotes += gsub(/"/, "&"); printf "%s%s", $0, quotes % 2 ? "\\\\n" : "\\n" } END { exit quotes % 2 }' "$one" > joined && mv joined "$one"; done; }`;

/** To be called of files that hold CSV, before they are compared; nothing where there are none. */
export function joinedLines(files: readonly string[]): string[] {
  const tables = files.filter((name) => name.endsWith('.csv'));
  return tables.length === 0
    ? []
    : [
        '# An event that takes several lines is put in one.',
        joinFunction,
        `joinLines ${tables.join(' ')}`,
      ];
}

/** What the comparison of a pair prints where nothing differs. */
export const sameRows = 'lines that differ: 0';
const sameEvents = '0 lines too many, 0 missing';

/** A command that succeeds where `$now` is this. */
export function isNow(text: string): string {
  return `[ "$now" = ${shellQuoted(text)} ]`;
}

/** Prints what differs between two files, in whatever order their lines are. */
export function comparedPair([one = '', other = '']: readonly string[]): string[] {
  return [
    `sort ${one} > one; sort ${other} > other`,
    `echo ${shellQuoted(`What differs (< only in ${one}, > only in ${other}):`)}; diff one other | grep -a '^[<>]' | head -n 8`,
    `now="lines that differ: $(diff one other | grep -ac '^[<>]')"`,
  ];
}

/** Prints what two halves of a range have in common, or what of the whole they lack; headings are in all of them. */
export function comparedHalves(
  violation: ViolationResult,
  isLost: boolean,
  [early = '', late = '', whole = '']: readonly string[],
): string[] {
  const found = isLost
    ? `cat ${early} ${late} > halves; grep -avxFf halves ${whole} > found`
    : `tail -n +$((headings + 1)) ${early} | grep -axFf - ${late} > found`;
  return [
    `headings=$(awk 'NR == FNR { line[FNR] = $0; next } line[FNR] != $0 { print FNR - 1; exit }' ${early} ${late}); headings=\${headings:-0}`,
    found,
    'head -n 3 found',
    `now="lines in ${isLost ? 'neither' : 'both'}: $(grep -ac '' found)"`,
    ...closing(violation, {
      expected: `lines in ${isLost ? 'neither' : 'both'}: 0`,
      isRight: '[ ! -s found ]',
    }),
  ];
}

/** Prints the same event as both files show it. */
export function shownDates(
  violation: ViolationResult,
  { mark, fileType, expected, actual }: DatesDifference,
  files: readonly string[],
): string[] {
  const [file = '', plain] = files;
  // Between day and time there is a space, or a T.
  const holds = (text: string): string =>
    `printf '%s' "$shown" | grep -aqF -e ${shellQuoted(text)} -e ${shellQuoted(text.replace(' ', 'T'))}`;
  const told: Told = { isRight: holds(expected), isWrong: holds(actual) };
  if (fileType === 'pdf') {
    // Many events happen within a minute.
    const isExact = /:\d\d:\d\d/.test(expected);
    return [
      needsPdftotext,
      `shown=$(pdftotext -layout ${file} -)`,
      `now="$(printf '%s' "$shown" | grep -aF -m 1 -e ${shellQuoted(expected)} -e ${shellQuoted(actual)} || printf '%s' "$shown" | grep -a -m 3 '[0-9]:[0-9]')"`,
      ...closing(violation, isExact ? told : {}),
    ];
  }
  const rows = mark === undefined ? 'head -n 2' : `grep -aF -m 1 ${shellQuoted(mark)}`;
  return [
    ...(plain === undefined
      ? []
      : [`echo 'The same event without the timezone:'; ${rows} ${plain}`]),
    `now=$(${rows} ${file}); shown=$now`,
    ...closing(violation, told),
  ];
}

/** What events are expected of, and what was asked for. */
interface Compared {
  readonly violation: ViolationResult;
  readonly difference: EventsDifference;
  /** The file that is to blame. */
  readonly file: string;
  /** The files that show it, that one first. */
  readonly files: readonly string[];
  /** The files that what is expected was taken from. */
  readonly others: readonly string[];
}

/**
 * Prints how many lines a file has too many and too few, measured by others, and the first of them.
 * @param isOfMore whether the second file has events of a filter and others
 */
export function comparedFiles(
  violation: ViolationResult,
  difference: EventsDifference,
  files: readonly string[],
  others: readonly string[],
  isOfMore: boolean,
): string[] {
  const [file = '', csv] = files;
  const { fileType, mark, shown, of, missing } = difference;
  const all: Compared = { violation, difference, file, files, others };
  if (csv !== undefined && mark !== undefined) return inBoth(all, csv, mark);
  if (csv !== undefined && shown !== undefined) return shownInAll(all, csv, shown);
  if (others.length > 0 && fileType === 'csv') return beside(all);
  if (fileType === 'pdf') return linesOfText(all);
  // The halves of a range, and the whole.
  if (files.length === 3) return comparedHalves(violation, missing > 0, files);
  if (csv === undefined || of === 0) return linesOfFile(all);
  // A filter, and all: how many of them it should keep no line says.
  if (of !== undefined && isOfMore) {
    return linesOfPart({ ...all, file: csv }, file, missing > 0);
  }
  // The same events, written otherwise.
  if (of !== undefined) return asManyLines(all, csv, of);
  // A whole, and a part of it; or two ranges apart from each other.
  return missing === 0 ? comparedHalves(violation, false, files) : linesOfPart(all, csv);
}

/** The first of the events that are missing, or too many, by a text that no other one holds. */
function inBoth({ violation, difference, file }: Compared, csv: string, mark: string): string[] {
  const text = shellQuoted(mark);
  const isPdf = difference.fileType === 'pdf';
  const found = isPdf
    ? `pdftotext ${file} - | tr -d '[:space:]' | grep -aoF ${text} | grep -c .`
    : `grep -acF ${text} ${file}`;
  const isMissing = difference.missing > 0;
  return [
    ...(isPdf ? [needsPdftotext] : []),
    ...(isMissing
      ? [
          `echo ${shellQuoted(`The first of the missing events, in ${csv}:`)}; grep -aF ${text} ${csv}`,
        ]
      : []),
    `due=$(grep -acF ${text} ${csv}); found=$(${found})`,
    `now="$found in ${file}, $due in ${csv}"`,
    ...closing(violation, {
      expected: `${printableLine(mark)} as often in ${file} as in ${csv}`,
      isRight: '[ "$found" = "$due" ]',
    }),
  ];
}

/** Events that an export of all shows to have a value, by which a filter does not find them. */
function shownInAll({ violation, difference, file }: Compared, all: string, shown: string) {
  const { of, missing } = difference;
  const value = shellQuoted(shown);
  const due = of ?? missing;
  return [
    `in_all=$(grep -acF ${value} ${all}); by_value=$(grep -acF ${value} ${file})`,
    `now="$by_value by the filter, $in_all lines that hold it among all"`,
    ...closing(violation, {
      expected: `lines that hold ${printableLine(shown)}: ${due} by the filter, as many as events show it among all`,
      ran: `${due - missing} by the filter, ${due} events show it among all`,
      // Where there are other events than in the run, there is no telling how many of those that hold it show it.
      isRight: `[ "$by_value" -ge ${due} ]`,
      isWrong: `[ "$by_value" -eq 0 ] || [ "$in_all" -eq ${due} ]`,
    }),
  ];
}

/** As many events, whatever their dates are written like. */
function asManyLines({ violation, difference, file }: Compared, csv: string, of: number) {
  const { missing, extra } = difference;
  return [
    `now="$(wc -l < ${file} | tr -d ' ') lines"`,
    ...closing(violation, {
      expected: `as many lines in ${file} as in ${csv}, of ${counted(of, 'event')}`,
      ran: `${counted(of - missing + extra, 'event')}`,
      isRight: `[ "$(wc -l < ${file})" -eq "$(wc -l < ${csv})" ]`,
    }),
  ];
}

/** @param isMore whether the part may lack lines besides, which nobody sees there */
function linesOfPart({ violation, file }: Compared, part: string, isMore = false): string[] {
  const isAll = `[ "$(grep -avxcFf ${file} ${part})" -eq 0 ]`;
  return [
    `grep -avxFf ${file} ${part} | head -n 3`,
    `now="lines of ${part} that ${file} lacks: $(grep -avxcFf ${file} ${part})"`,
    ...closing(violation, {
      expected: `every line of ${part} in ${file}`,
      ...(isMore ? { isWrong: `! ${isAll}` } : { isRight: isAll }),
    }),
  ];
}

function linesOfText({ violation, file }: Compared): string[] {
  return [
    needsPdftotext,
    `now="$answered, lines of text: $(pdftotext ${file} - | grep -c .)"`,
    ...closing(violation),
  ];
}

/** Of a file by itself: that holds no events, or a person looks at it. */
function linesOfFile({ violation, difference: { of, extra }, file }: Compared): string[] {
  const most = extra > 10 ? 3 : 1;
  const told: Told = {
    expected: `no events: at most ${most === 1 ? 'a line of headings' : 'lines of headings'}`,
    isRight: `[ "$answered" = 400 ] || [ "$answered" = 404 ] || [ "$answered" = 422 ] || { [ "$answered" = 200 ] && [ "$(wc -l < ${file})" -le ${most} ]; }`,
  };
  return [
    `head -n 3 ${file}`,
    `now="$answered, lines: $(wc -l < ${file} | tr -d ' ')"`,
    ...closing(violation, of === 0 ? told : {}),
  ];
}

/** The lines of other files: of all of them, of any, or between the first and the second. */
function beside({ violation, difference, file, others }: Compared): string[] {
  const [one = '', ...more] = others;
  const { together } = difference;
  if (together === 'at least') {
    const missing = `$(cat ${others.join(' ')} | grep -avxcFf ${file})`;
    return [
      `cat ${others.join(' ')} | grep -avxFf ${file} | head -n 1 | sed 's/^/The first that is missing: /'`,
      `now="${missing} lines missing"`,
      ...closing(violation, {
        expected: `in ${file} every line that ${others.join(' or ')} holds: 0 lines missing`,
        ...(difference.missing > 0 && { isRight: isNow('0 lines missing') }),
      }),
    ];
  }
  const isAll = together === 'all';
  return [
    ...(isAll
      ? [
          `cat ${one} > expected`,
          ...more.map((other) => `grep -axFf ${other} expected > both; mv both expected`),
        ]
      : [`cat ${others.join(' ')} > expected`]),
    ...firstLines({ tooMany: `expected ${file}`, missing: `${file} expected` }),
    `now="$(grep -avxcFf expected ${file}) lines too many, $(grep -avxcFf ${file} expected) missing"`,
    ...closing(violation, {
      expected: `in ${file} the lines that ${isAll ? `all of ${others.join(', ')} hold` : `${others.join(' or ')} holds`}: ${sameEvents}`,
      isRight: isNow(sameEvents),
    }),
  ];
}

/** Prints an example of each; of a pair of files the lines of the second that are not in the first. */
function firstLines({ tooMany, missing }: { tooMany: string; missing: string }): string[] {
  return [
    `grep -avxFf ${tooMany} | head -n 1 | sed 's/^/The first line too many:  /'`,
    `grep -avxFf ${missing} | head -n 1 | sed 's/^/The first that is missing: /'`,
  ];
}
