import { type Exchange, headerOf } from '../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { shellQuoted } from './commands.ts';
import { shownBeside } from './difference.ts';
import { bodyText, mediaType, readableQuery } from './exchange-text.ts';
import type { Finding } from './findings.ts';
import { headlineOf } from './headlines.ts';
import { cut } from './printable.ts';
import { requestsFile, requestsOf } from './requests.ts';
import { breakable, breakableJson, maxShown, safe, safeValue, type Terminal } from './terminal.ts';
import { counted, exchangeNumbers, exchangesOf, listed, otherWays, textsOf } from './wording.ts';

/*
 * Findings on a terminal: each with what shows it, and at the end of a run in a line or two.
 */

/** How much is shown before the rest is counted; the page has all of it. */
const max = {
  findings: 12,
  alike: 3,
  clauses: 4,
  ids: 8,
  /** Of what was done: it names all the filters of an export. */
  what: 700,
  /** At least so much of the first line of a body. */
  body: 40,
};

/** What is said of each finding, and where it is taken from. */
interface Place {
  readonly number: number;
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** Paths of the files that were written. */
  readonly files: readonly string[];
  readonly screen: Terminal;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Every finding with what shows it, as blocks of lines; those beyond the most are counted. */
export function findingBlocks(
  findings: readonly Finding[],
  place: Omit<Place, 'number'>,
): string[][] {
  if (findings.length === 0) return [];
  const { screen } = place;
  const clauses = new Set(findings.flatMap((finding) => finding.clauses.map(({ id }) => id)));
  const hidden = findings.slice(max.findings);
  const rest = hidden.flatMap(({ clauses: own }) => own.map(({ id }) => id));
  const title = `${counted(findings.length, 'finding')} (${counted(clauses.size, 'violated clause')})`;
  return [
    [screen.paint('bold', title)],
    ...findings
      .slice(0, max.findings)
      .map((finding, index) => findingLines(finding, { ...place, number: index + 1 })),
    ...(hidden.length === 0
      ? []
      : [
          screen.wrap(
            `and ${counted(hidden.length, 'more finding')}, about ${listed(rest, max.ids)}`,
            '  ',
          ),
        ]),
  ];
}

function isIntermittent(violations: readonly ViolationResult[]): boolean {
  return violations.every(({ intermittent }) => intermittent);
}

const findingIndent = ' '.repeat(6);

function numberedHeadline(finding: Finding, number: number, { paint, wrap }: Terminal): string[] {
  const note = isIntermittent(finding.violations) ? ' (intermittent)' : '';
  return wrap(
    `${safe(headlineOf(finding))}${note}`,
    `  ${paint('red', `✗ ${number}`)} `,
    findingIndent,
  );
}

/** What is wrong in a line, then the values, the exchange that shows it, the clauses, and its requests. */
function findingLines(finding: Finding, place: Place): string[] {
  const { violation, violations, clauses } = finding;
  const { paint, wrap } = place.screen;
  const texts = textsOf(violation);
  const { expected, actual } = shownBeside(texts.expected, texts.actual, maxShown);
  const line = (name: string, text: string): string[] =>
    wrap(text, `${findingIndent}${name.padEnd(10)}`, `${findingIndent}${' '.repeat(10)}`);
  const isRequestShown = place.exchanges.some((one) => one.number === violation.on[0]?.exchange);
  return [
    ...numberedHeadline(finding, place.number, place.screen).map((each) => paint('bold', each)),
    ...(isRequestShown ? [] : line('done', cut(safe(texts.done), max.what))),
    ...line('expected', safe(expected)),
    ...line('actual', safe(actual)),
    ...exchangeLines(violation, line, place),
    ...alsoLines(violation, violations.slice(1), line),
    ...line(
      clauses.length === 1 ? 'clause' : 'clauses',
      listed(
        clauses.map(({ id, level }) => `${paint('red', id)} (${level})`),
        max.clauses,
      ),
    ),
    ...requestsLines(finding, line, place),
  ];
}

/** What else shows the same. */
function alsoLines(
  shown: ViolationResult,
  others: readonly ViolationResult[],
  line: NamedLine,
): string[] {
  const ways = otherWays(shown, others).map(
    (one) =>
      `${safeValue(textsOf(one).done)} (${exchangeNumbers(exchangesOf(one).slice(0, 1))})${one.intermittent ? ' (intermittent)' : ''}`,
  );
  const hidden = ways.length - max.alike;
  return [
    ...ways.slice(0, max.alike).flatMap((text, index) => line(index === 0 ? 'also' : '', text)),
    ...(hidden > 0 ? line('', `and ${hidden} more`) : []),
  ];
}

type NamedLine = (name: string, text: string) => string[];

/** The exchange to blame: the request, and what was answered. */
function exchangeLines(
  violation: ViolationResult,
  line: NamedLine,
  { exchanges, width }: Place,
): string[] {
  const numbers = exchangesOf(violation);
  const exchange = exchanges.find(({ number }) => number === numbers[0]);
  if (exchange === undefined) {
    return numbers.length === 0 ? [] : line('exchange', exchangeNumbers(numbers));
  }
  const { request } = exchange;
  const [second, ...others] = numbers.slice(1, 6);
  const compared = exchanges.find(({ number }) => number === second);
  return [
    ...line('request', requestText(exchange)),
    ...sentLines(request, line),
    ...line('answer', answerText(exchange, width, fieldOf(violation))),
    ...(compared === undefined
      ? []
      : line(
          'see also',
          `${comparedText(compared, exchange)}${others.map((number) => `, #${number}`).join('')}`,
        )),
  ];
}

function requestText({ number, request }: Exchange): string {
  const { pathname, search } = new URL(request.url);
  const text = `${request.method} ${pathname}${readableQuery(search)}`;
  return `#${number} ${breakable(cut(safe(text), max.what))}`;
}

/** So many parameters that differ are named in place of the whole request. */
const maxDiffering = 3;

/** A request beside the one to blame: what it asked for otherwise, where that is little. */
function comparedText(compared: Exchange, shown: Exchange): string {
  const [url, shownUrl] = [compared, shown].map(({ request }) => new URL(request.url));
  const isOneKind =
    compared.request.method === shown.request.method && url?.pathname === shownUrl?.pathname;
  const [own, others] = [url, shownUrl].map((one) => [...(one?.searchParams ?? [])]);
  const text = ([name = '', value = '']: readonly string[]): string => `${name}=${value}`;
  const only = (some: readonly string[][] = [], rest: readonly string[][] = []): string[] =>
    some.map(text).filter((one) => !rest.map(text).includes(one));
  const [added, left] = [only(own, others), only(others, own)];
  const count = added.length + left.length;
  const isGivenAnew = (one: string): boolean =>
    added.some((other) => other.split('=')[0] === one.split('=')[0]);
  const without = left.filter((one) => !isGivenAnew(one));
  if (!isOneKind || count === 0 || count > maxDiffering) return requestText(compared);
  const parts = [
    ...(without.length > 0 ? [`without ${without.join(', ')}`] : []),
    ...(added.length > 0 ? [`with ${added.join(', ')}`] : []),
  ];
  return `#${compared.number} the same ${breakable(cut(safe(parts.join(', ')), max.what))}`;
}

/** What decides about a write: the version that it names, and the body. */
function sentLines(request: Exchange['request'], line: NamedLine): string[] {
  const { body } = request;
  if (body === undefined) return [];
  const version = headerOf(request, 'if-match');
  const condition = version === undefined ? 'no If-Match' : `If-Match: ${version}`;
  return [...line('sent', safe(condition)), ...line('', breakableJson(cut(safe(body), maxShown)))];
}

/** The path of the file with the requests of a finding; undefined where none was written. */
function requestsFileOf(number: number, files: readonly string[]): string | undefined {
  return files.find((one) => one.replaceAll('\\', '/').endsWith(`/${requestsFile(number)}`));
}

/** What sends the requests of the finding again. */
function requestsLines(
  finding: Finding,
  line: NamedLine,
  { results, exchanges, number, files }: Place,
): string[] {
  const file = requestsFileOf(number, files);
  if (file === undefined) return [];
  const { writesTo } = requestsOf(finding, results, exchanges) ?? {};
  const told =
    writesTo === undefined ? '' : ` (writes to task ${writesTo}, then assigns it as it was)`;
  return line('see it', `bash ${shellQuoted(file)}${safeValue(told)}`);
}

/** What is wrong, and the command that sends its requests again, for whoever looks at the end of a run only. */
export function headlineLines(
  findings: readonly Finding[],
  { results, exchanges, files, screen }: Omit<Place, 'number' | 'width'>,
): string[] {
  const hidden = findings.length - max.findings;
  const toldOf = (finding: Finding): string => {
    const { writesTo } = requestsOf(finding, results, exchanges) ?? {};
    return writesTo === undefined ? '' : `  (writes to task ${safeValue(writesTo)})`;
  };
  return [
    ...findings.slice(0, max.findings).flatMap((finding, index) => {
      const file = requestsFileOf(index + 1, files);
      return [
        ...numberedHeadline(finding, index + 1, screen),
        ...(file === undefined
          ? []
          : [screen.paint('dim', `${findingIndent}bash ${shellQuoted(file)}${toldOf(finding)}`)]),
      ];
    }),
    ...(hidden > 0 ? [`${findingIndent}and ${counted(hidden, 'more finding')}`] : []),
  ];
}

/** The field that has a wrong value, by its own name; undefined where it is something else that is wrong. */
function fieldOf({ difference }: ViolationResult): string | undefined {
  return difference?.kind === 'field' ? difference.fields[0]?.split('.').at(-1) : undefined;
}

/** So much of a body may stand before the field that is meant. */
const maxBefore = 60;

/** The beginning of a text, and the rest from the field on, where that is further behind. */
function fromField(text: string, field: string | undefined): string {
  const at = field === undefined ? -1 : text.indexOf(`"${field}"`);
  return at <= maxBefore ? text : `${text.slice(0, 1)}… ${text.slice(at)}`;
}

/**
 * The status and the first line of the body, or what came in place of them.
 * @param field of a JSON body that is shown rather than its beginning
 */
function answerText(
  { operation, response, failure }: Exchange,
  width: number,
  field: string | undefined,
): string {
  const parts = failure === undefined ? [] : [safeValue(failure.why)];
  if (response === undefined) return parts.join('');
  const text = bodyText(response);
  const [first = ''] = (text ?? '').trimStart().split(/\r?\n/);
  const type = safeValue(mediaType(response)) || 'no content type';
  // The first line of a file is its headings.
  const isFile = operation === 'export' && response.status < 300;
  const isText = text !== undefined && !text.includes('\u0000') && !isFile;
  const body =
    response.size === 0
      ? 'no body'
      : isText && !/pdf/i.test(type)
        ? cut(safe(fromField(first, field)), Math.max(max.body, width - 40))
        : `${response.size.toLocaleString('en-US')} bytes, ${type}`;
  return [`${response.status}  ${body}`, ...parts].join('; ');
}
