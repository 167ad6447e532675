import type { Exchange } from '../../helpers/http/exchange.ts';
import type { OtherDifference, Wrong } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import { answered, mediaType, renderHeader, withKey } from '../exchange-text.ts';
import { cut, printableLine } from '../printable.ts';
import {
  comparedFiles,
  comparedHalves,
  comparedPair,
  isNow,
  joinedLines,
  sameRows,
  shownDates,
} from './compared-files.ts';
import { closing, type Told } from './ending.ts';
import {
  beginningOf,
  curl,
  folder,
  isExport,
  needsPdftotext,
  type Place,
  pauseBefore,
  showFunctions,
  shownField,
  unseen,
  urlIn,
  waiting,
  withoutFolder,
} from './shell.ts';

/*
 * Commands that only read.
 */

/** What the commands of one violation need to be there before them, and they themselves. */
export interface Reading {
  readonly before: readonly string[];
  readonly lines: readonly string[];
}

/**
 * Commands that send the requests of a violation again, and compare what came.
 * @param first the number of their first file
 */
export function readingOf({ violation, baseUrl, sent, blamed }: Place, first = 1): Reading {
  const { difference } = violation;
  const names = new Map(
    sent.map((one, index) => [one.number, `${first + index}.${fileTypeOf(one)}`] as const),
  );
  const named = (numbers: readonly number[]): string[] =>
    numbers.flatMap((number) => names.get(number) ?? []);
  const isOfFiles = isOfEvents(violation);
  const said = queriesOf(sent);
  const get = (one: Exchange, headers: readonly string[]): string => {
    const address = urlIn(one.request.url, baseUrl) ?? withKey(one.request.url);
    const of = isExport(one) ? `of=${shellQuoted(said.get(one.number) ?? '')}; ` : '';
    return `${of}get ${names.get(one.number)} ${[address, ...headers].join(' ')}`;
  };
  const requests = sent.flatMap((one, index) => {
    const headers = one.request.headers.map(([name, value]) =>
      renderHeader(name, value, one.request),
    );
    const mustBeServed =
      isOfFiles && isServed(one) && !(mayBeRefused(violation) && one === blamed[0]);
    const earlier = sent.slice(0, index);
    const isRepeated = earlier.some(({ request }) => request.url === one.request.url);
    return [
      ...waiting(isRepeated ? pauseBefore(one, earlier) : 0),
      answered(one),
      get(one, headers),
      ...(mustBeServed ? ['served'] : []),
      ...(one === blamed[0] ? ['now=$answered'] : []),
    ];
  });
  const files = named(blamed.map(({ number }) => number));
  const [file = ''] = files;
  const isJson = sent.every(
    ({ response }) => response !== undefined && /json/i.test(mediaType(response)),
  );
  const field = isJson ? shownField(violation) : undefined;
  const [asked] = blamed;
  const is401 = difference?.kind === 'status' && difference.expected === '401';
  const before = [
    ...folder,
    sent.some(isExport) && isOfFiles ? keeping : removing,
    '# Sends a request, keeps the answer in a file, and prints its status and size.',
    // Not called status: that is taken in zsh.
    `get() { name=$1; shift; : > "$name"; set -- $(${curl} "$@" -o "$name" -w '%{http_code} %{content_type}'); answered=$1; type=$2; echo "$name\${of:+ ($of)}: $answered, $(wc -c < "$name" | tr -d ' ') bytes"; if [ "$answered" = 000 ]; then echo "No answer from $BASE: nothing is to be seen."; exit ${unseen}; fi; case $answered in 2*) ;; *) head -c 300 "$name"; echo;; esac; }`,
    ...(isOfFiles
      ? [
          '# Without a file there is nothing to compare.',
          `served() { case $answered in 2*) ;; *) echo "Nothing can be compared: $name was answered with $answered."; exit ${unseen};; esac; }`,
        ]
      : []),
  ];
  const withRequests = (...lines: readonly string[]): Reading => ({
    before,
    lines: [...requests, ...lines],
  });
  const withFiles = (...lines: readonly string[]): Reading =>
    withRequests(...joinedLines([...names.values()]), ...lines);
  switch (difference?.kind) {
    case 'status':
      return is401 && asked !== undefined && isOfAnotherKey(asked)
        ? {
            before,
            lines: [
              '# With the valid key: where that is refused too, nothing is seen of other keys.',
              `get key ${[urlIn(asked.request.url, baseUrl) ?? withKey(asked.request.url), '-H "apikey: $API_KEY"'].join(' ')}`,
              `if [ "$answered" = 401 ]; then echo 'The key itself is refused: nothing is seen of other keys.'; exit ${unseen}; fi`,
              ...requests,
              ...closing(violation),
            ],
          }
        : withRequests(...closing(violation));
    case 'events': {
      const compared = difference.together === undefined ? [] : violation.on.slice(1);
      const others = named(compared.map(({ exchange }) => exchange));
      return withFiles(...comparedFiles(violation, difference, files, others, isOfMore(blamed)));
    }
    case 'dates':
      return withRequests(...shownDates(violation, difference, files));
    case 'bound':
      return withFiles(
        ...(difference.found === 'excluded'
          ? [
              ...comparedPair(files),
              ...closing(violation, {
                expected: sameRows,
                ran:
                  difference.readTo === undefined
                    ? 'the first lacks the event of that very instant'
                    : `they differ by events of another part of the ${difference.readTo}`,
                isRight: isNow(sameRows),
              }),
            ]
          : comparedHalves(violation, difference.found === 'lost', files)),
      );
    default: {
      if (field !== undefined) {
        return {
          before,
          lines: [
            ...showFunctions(field),
            ...requests,
            `for file in ${[...names.values()].join(' ')}; do show < $file; done`,
            `now=$(show < ${file})`,
            ...closing(violation, toldOfId(violation, asked)),
          ],
        };
      }
      const told = difference?.kind === 'other' ? toldOf(difference, files) : {};
      return files.length > 1 && files.every((name) => name.endsWith('.csv'))
        ? withFiles(...comparedPair(files), ...closing(violation, told))
        : withRequests(
            ...(isOfOpening(violation) ? [needsPdftotext] : []),
            `now="$now $type, $(${beginningOf(`cat ${file}`)})"`,
            ...closing(violation, told),
          );
    }
  }
}

/** So much is told of what a file is of. */
const maxQuery = 240;

/** What exports ask for, as people read it, by the number of the exchange: of several, that in which they differ. */
function queriesOf(sent: readonly Exchange[]): ReadonlyMap<number, string> {
  const queries = sent.filter(isExport).map(({ number, request }) => ({
    number,
    asked: Array.from(new URL(request.url).searchParams, ([name, value]) => `${name}=${value}`),
  }));
  const [one, ...others] = queries;
  const isOfAll = (part: string): boolean =>
    others.length > 0 && [one, ...others].every((query) => query?.asked.includes(part));
  return new Map(
    queries.map(({ number, asked }) => {
      const text = asked.filter((part) => !isOfAll(part)).join(', ');
      return [number, cut(printableLine(text), maxQuery)];
    }),
  );
}

/** Whether the second of two exports asks for all, and the first for what filters keep of that. */
function isOfMore([one, other]: readonly Exchange[]): boolean {
  const hasFilter = ({ request }: Exchange): boolean =>
    [...new URL(request.url).searchParams.keys()].some(
      (name) => !/^(?:range_|timezone$|locale$|file_type$)/.test(name),
    );
  return one !== undefined && other !== undefined && hasFilter(one) && !hasFilter(other);
}

/** Files that were compared are there to be looked at. */
export const keeping = 'echo "Files go to $DIR, and stay there."';

/** The folder is gone where nothing in it is to be looked at. */
export const removing = `trap '${withoutFolder}' EXIT`;

/** Whether it shows in the files of exports, and not in the answer to a request. */
function isOfEvents({ difference, on }: ViolationResult): boolean {
  if (difference === undefined || difference.kind === 'status' || difference.kind === 'field') {
    return false;
  }
  return difference.kind !== 'other' || on.some(({ request }) => request.includes('/export'));
}

/** A value that cannot exist may be refused, and what is refused with a file may not have one now. */
function mayBeRefused({ difference }: ViolationResult): boolean {
  return (
    (difference?.kind === 'events' && difference.of === 0) ||
    (difference?.kind === 'other' && difference.status !== undefined) ||
    (difference?.kind === 'other' && /^matches a (?:part|pattern)$/.test(difference.wrong))
  );
}

/** Whether the key is missing, or another one than that of the configuration. */
function isOfAnotherKey({ request }: Exchange): boolean {
  return request.key !== undefined || request.headers.every(([name]) => !/^apikey$/i.test(name));
}

function isServed({ response }: Exchange): boolean {
  return response !== undefined && response.status < 300;
}

/** The record that was asked for, where another one was answered. */
function toldOfId({ difference }: ViolationResult, asked: Exchange | undefined): Told {
  if (difference?.kind !== 'other' || asked === undefined) return {};
  const id = new URL(asked.request.url).pathname.split('/').at(-1) ?? '';
  return {
    expected: `id ${id}`,
    isRight: `valueOf "$now" | grep -qiF ${shellQuoted(`"${id}"`)}`,
  };
}

/** A command that tells whether what is wrong still is; nothing where that takes a person. */
const isRightNow: Readonly<Partial<Record<Wrong, (file: string, other: string) => string>>> = {
  'answers without a JSON object': (file) => beginsWith(file, '{'),
  'answers a refusal without JSON': (file) => `[ ! -s ${file} ] || ${beginsWith(file, '{["')}`,
  'answers with JSON of another media type': () => 'case $type in *json*) true;; *) false;; esac',
  'is no PDF that opens': (file) => `pdftotext ${file} - > /dev/null 2>&1`,
  'refuses with a PDF': (file) => `[ "$(head -c 5 ${file})" != '%PDF-' ]`,
  'matches a part': (file, other) => keepsNotAll(file, other),
  'matches a pattern': (file, other) => keepsNotAll(file, other),
};

function isOfOpening({ difference }: ViolationResult): boolean {
  return (
    difference?.kind === 'other' && difference.wrong === ('is no PDF that opens' satisfies Wrong)
  );
}

function toldOf({ wrong }: OtherDifference, [file = '', other = '']: readonly string[]): Told {
  // A file of an earlier suite has another text.
  const isRight = isRightNow[wrong as Wrong]?.(file, other);
  return isRight === undefined ? {} : { isRight };
}

/** @param characters one of which the first one is that is no white space */
function beginsWith(file: string, characters: string): string {
  return `head -c 200 ${file} | tr -d '[:space:]' | grep -q ${shellQuoted(`^[${characters}]`)}`;
}

/** Whether a file lacks lines of another one, or has none. */
function keepsNotAll(file: string, other: string): string {
  return `[ "$(grep -avxcFf ${file} ${other})" -gt 0 ]`;
}

function fileTypeOf({ operation, request }: Exchange): string {
  if (operation !== 'export') return 'json';
  return /[?&]file_type=pdf/.test(request.url) ? 'pdf' : 'csv';
}
