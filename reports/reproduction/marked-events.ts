import type { Exchange } from '../../helpers/http/exchange.ts';
import type { FieldDifference } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';
import type { Told } from './ending.ts';
import { beginningOf, curl, needsPdftotext, urlIn } from './shell.ts';
import { bodyArgument } from './write-commands.ts';

/*
 * Events of what the commands write: known by a mark in the comment, which tells them from those of the run.
 */

/**
 * The body of a write, as an argument, with a mark in its comment that tells its event from that of the run; undefined where
 * it has none.
 */
export function markedBody(write: Exchange | undefined): string | undefined {
  const { body = '' } = write?.request ?? {};
  const place = /"assignment_comment":"/.exec(body);
  if (place === null) return undefined;
  const end = place.index + place[0].length;
  return `${shellQuoted(body.slice(0, end))}"$MARK "${bodyArgument(body.slice(end))}`;
}

/** Bounds beyond which nothing lies that is written now, where it is one of them that is ignored. */
const farBounds: Readonly<Record<string, string>> = {
  range_start: 'range_start=2099-01-01T00%3A00%3A00.000Z',
  range_end: 'range_end=2000-01-01T00%3A00%3A00.000Z',
};

/** Downloads an export of what is written now: without the range of the run, which is over. */
export function exportFunction(
  { request }: Exchange,
  baseUrl: string,
  { difference }: Pick<ViolationResult, 'difference'>,
): string[] {
  const { ignored = [] } = difference?.kind === 'events' ? difference : {};
  const url = new URL(request.url);
  const kept = [
    ...url.search
      .slice(1)
      .split('&')
      .filter((part) => !/^range_(?:start|end)=/.test(part)),
    ...ignored.flatMap((name) => farBounds[name] ?? []),
  ].join('&');
  const address = urlIn(`${url.origin}${url.pathname}?${kept}`, baseUrl) ?? shellQuoted(url.href);
  return [
    '# Exports the events, and prints them as text.',
    ...(isOfPdf(request.url) ? [needsPdftotext] : []),
    `export_events() { ${curl} ${address} -H "apikey: $API_KEY" -o export; ${isOfPdf(request.url) ? 'pdftotext export -' : 'cat export'}; }`,
  ];
}

function isOfPdf(url: string): boolean {
  return /[?&]file_type=pdf/.test(url);
}

/** So many seconds exports are looked at in turn. */
const looks = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27];

/**
 * Looks for what was just written, and shows what has been recorded since; before the last write, what there was is noted.
 * @param waited for so many seconds it is there already
 */
export function markedExport(
  { request }: Exchange,
  { difference }: ViolationResult,
  waited: number,
): string[] {
  const left = looks.filter((after) => after === 0 || after + waited < 30);
  return [
    `printf %s "   Looked for comments with $MARK, for ${left.length * 3} s at the most:"`,
    `for waited in ${left.join(' ')}; do`,
    'export_events > events; grep -aq "$MARK" events && break',
    'printf %s " $((waited + 3)) s"; sleep 3',
    'done; echo',
    // Lines of a PDF are no events.
    ...(isOfPdf(request.url)
      ? []
      : [
          `echo '   The headings, and what has been recorded since the last write:'`,
          'head -n 1 events; grep -avxFf earlier events | head -n 5 | cut -c 1-300',
        ]),
    ...(difference?.kind === 'field'
      ? [
          `grep -a -A ${linesOf(difference.expected).length} "$MARK" events > recorded`,
          `now=$(${beginningOf('cat recorded')})`,
        ]
      : ['count=$(grep -ac "$MARK" events); now="$count with the comment"']),
  ];
}

/** The comment of a recorded event, line by line: quotes are doubled in a CSV. */
function toldOfComment({ expected, actual }: FieldDifference): Told {
  const [right, wrong] = [linesOf(expected), linesOf(actual)];
  if (right.length === 0 || wrong.length === 0) return {};
  const holds = (lines: readonly string[]): string =>
    lines
      .map(
        (line) =>
          `grep -aqF -e ${shellQuoted(line)} -e ${shellQuoted(line.replaceAll('"', '""'))} recorded`,
      )
      .join(' && ');
  // What was cut is found in what is whole as well.
  const isPart = right.join('\n').includes(wrong.join('\n'));
  return {
    isRight: isPart ? holds(right) : `${holds(right)} && ! { ${holds(wrong)}; }`,
    isWrong: holds(wrong),
  };
}

/** The lines of a text that is given as JSON; none where it is none, or too long to compare. */
function linesOf(json: string): string[] {
  try {
    const text: unknown = JSON.parse(json);
    if (typeof text !== 'string' || text.length > maxCompared) return [];
    return text.split(/\r?\n/).filter((line) => line !== '');
  } catch {
    return [];
  }
}

const maxCompared = 5000;

/** Whether an event that holds the mark should be there, and what it should hold. */
export function toldOfMark({ difference }: ViolationResult): Told {
  if (difference?.kind === 'field') return toldOfComment(difference);
  if (difference?.kind === 'other') {
    const isThere = '[ "$count" -gt 0 ]';
    return { isRight: `${isThere} && grep -aq '<' events`, isWrong: isThere };
  }
  if (difference?.kind !== 'events') return {};
  return { isRight: difference.missing > 0 ? '[ "$count" -gt 0 ]' : '[ "$count" -eq 0 ]' };
}
