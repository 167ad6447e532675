import type { Exchange } from '../../helpers/http/exchange.ts';
import type { DatesDifference, EventsDifference } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { answered, mediaType, renderHeader, withKey } from '../exchange-text.ts';
import { printableLine } from '../printable.ts';
import {
  beginningOf,
  closing,
  curl,
  folder,
  type Place,
  showFunction,
  shownField,
  urlIn,
} from './shell.ts';

/*
 * Commands that only read.
 */

/** Commands that send the requests of a violation again, and compare what came. */
export function readLines({ violation, baseUrl, sent, blamed }: Place): string[] {
  const { difference } = violation;
  const names = new Map(
    sent.map((one, index) => [one.number, `${index + 1}.${fileTypeOf(one)}`] as const),
  );
  const named = (numbers: readonly number[]): string[] =>
    numbers.flatMap((number) => names.get(number) ?? []);
  const requests = sent.flatMap((one) => {
    const address = urlIn(one.request.url, baseUrl) ?? withKey(one.request.url);
    const headers = one.request.headers.map(([name, value]) =>
      renderHeader(name, value, one.request),
    );
    return [
      answered(one),
      `get ${names.get(one.number)} ${[address, ...headers].join(' ')}`,
      ...(one === blamed[0] ? ['now=$status'] : []),
    ];
  });
  const files = named(blamed.map(({ number }) => number));
  const [file = ''] = files;
  const isJson = sent.every(
    ({ response }) => response !== undefined && /json/i.test(mediaType(response)),
  );
  const field = isJson ? shownField(violation) : undefined;
  const get = `get() { name=$1; shift; : > "$name"; status=$(${curl} "$@" -o "$name" -w '%{http_code}'); echo "$name: $status, $(wc -c < "$name" | tr -d ' ') bytes"; }`;
  const about = '# Sends a request, keeps the answer in a file, and prints its status and size.';
  const common = [...folder, about, get, ...requests];
  switch (difference?.kind) {
    case 'status':
      return [...common, ...closing(violation)];
    case 'events': {
      const others = named(difference.expectedFrom?.exchanges ?? []);
      return [...common, ...comparedFiles(violation, difference, files, others)];
    }
    case 'dates':
      return [...common, ...shownDates(violation, difference, files)];
    case 'bound':
      return [
        ...common,
        ...comparedPair(files),
        ...closing(violation, {
          expected: sameRows,
          ran: 'the first lacks the event of that very instant',
          isRight: isNow(sameRows),
        }),
      ];
    default:
      if (field !== undefined) {
        return [
          ...common,
          showFunction(field),
          `for file in ${[...names.values()].join(' ')}; do show < $file; done`,
          `now=$(show < ${file})`,
          ...closing(violation),
        ];
      }
      if (files.length > 1 && files.every((name) => name.endsWith('.csv'))) {
        return [...common, ...comparedPair(files), ...closing(violation)];
      }
      return [...common, `now="$now, $(${beginningOf(`cat ${file}`)})"`, ...closing(violation)];
  }
}

const sameRows = 'lines that differ: 0';
const sameEvents = '0 too many, 0 missing';

function isNow(text: string): string {
  return `[ "$now" = ${shellQuoted(text)} ]`;
}

/** Prints what differs between two files, in whatever order their lines are. */
function comparedPair([one = '', other = '']: readonly string[]): string[] {
  return [
    `sort ${one} > one; sort ${other} > other`,
    `echo ${shellQuoted(`What differs (< only in ${one}, > only in ${other}):`)}; diff one other | grep -a '^[<>]' | head -n 8`,
    `now="lines that differ: $(diff one other | grep -ac '^[<>]')"`,
  ];
}

/** Prints the same event as both files show it. */
function shownDates(
  violation: ViolationResult,
  { mark, fileType }: DatesDifference,
  files: readonly string[],
): string[] {
  const [file = '', plain] = files;
  if (fileType === 'pdf') {
    return [
      needsPdftotext,
      `now="$(pdftotext -layout ${file} - | grep -a '[0-9]:[0-9]' | head -n 3)"`,
      ...closing(violation),
    ];
  }
  const rows = mark === undefined ? 'head -n 2' : `grep -aF -m 1 ${shellQuoted(mark)}`;
  return [
    ...(plain === undefined
      ? []
      : [`echo 'The same event without the timezone:'; ${rows} ${plain}`]),
    `now=$(${rows} ${file})`,
    ...closing(violation),
  ];
}

const needsPdftotext =
  "command -v pdftotext > /dev/null || echo 'This needs pdftotext, of poppler-utils.'";

/** Prints how many lines a file has too many and too few, measured by others, and the first of them. */
function comparedFiles(
  violation: ViolationResult,
  { expectedFrom, mark, shown, fileType, of }: EventsDifference,
  files: readonly string[],
  others: readonly string[],
): string[] {
  const [file = '', csv = ''] = files;
  if (fileType === 'pdf' && mark !== undefined) {
    const text = shellQuoted(mark);
    return [
      needsPdftotext,
      `in_csv=$(grep -acF ${text} ${csv})`,
      `in_pdf=$(pdftotext ${file} - | tr -d '[:space:]' | grep -aoF ${text} | grep -c .)`,
      `now="$in_pdf in the PDF, $in_csv in the CSV"`,
      ...closing(violation, {
        expected: `${printableLine(mark)} as often in the PDF as in the CSV`,
        isRight: '[ "$in_pdf" = "$in_csv" ]',
      }),
    ];
  }
  if (shown !== undefined && csv !== '') {
    const value = shellQuoted(shown);
    return [
      `in_all=$(grep -acF ${value} ${csv}); by_value=$(grep -acF ${value} ${file})`,
      `now="$in_all lines that hold it among all, $by_value by the filter"`,
      ...closing(violation, {
        expected: `lines that hold ${printableLine(shown)}, among all events and by the filter`,
        ran: `${of} among all, 0 by the filter`,
        isRight: '[ "$by_value" -gt 0 ]',
      }),
    ];
  }
  const [one, ...more] = others;
  if (one === undefined || fileType === 'pdf') {
    const none = {
      expected: 'no events: at most a line of headings',
      isRight: `[ "$(wc -l < ${file})" -le 1 ]`,
    };
    return [
      `head -n 3 ${file}`,
      `now="lines: $(wc -l < ${file} | tr -d ' ')"`,
      ...closing(violation, of === 0 ? none : {}),
    ];
  }
  const all = [
    `cat ${one} > expected`,
    ...more.map((other) => `grep -axFf ${other} expected > both; mv both expected`),
  ];
  const lines = expectedFrom?.together === 'all' ? all : [`cat ${others.join(' ')} > expected`];
  const which = `lines of ${others.join(expectedFrom?.together === 'all' ? ' and ' : ' or ')}`;
  return [
    ...lines,
    `echo 'The first line too many, and the first that is missing:'`,
    `grep -avxFf expected ${file} | head -n 1; grep -avxFf ${file} expected | head -n 1`,
    `now="$(grep -avxcFf expected ${file}) too many, $(grep -avxcFf ${file} expected) missing"`,
    ...closing(violation, {
      expected: `in ${file} the ${which}: ${sameEvents}`,
      isRight: isNow(sameEvents),
    }),
  ];
}

function fileTypeOf({ operation, request }: Exchange): string {
  if (operation !== 'export') return 'json';
  return /[?&]file_type=pdf/.test(request.url) ? 'pdf' : 'csv';
}
