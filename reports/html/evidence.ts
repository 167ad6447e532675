import { STATUS_CODES } from 'node:http';
import type { Exchange, Headers } from '../../helpers/http/exchange.ts';
import { groupBy } from '../../helpers/maps.ts';
import type { Results } from '../../schemas/results.ts';
import { commandFor } from '../commands.ts';
import { bodyText, readableQuery, renderCurl } from '../exchange-text.ts';
import { cut, numeral, printableLine } from '../printable.ts';
import { counted, duration, exchangesOf } from '../wording.ts';
import { type Content, html, type Markup } from './markup.ts';

/** How much of the evidence a page holds. */
export interface EvidenceLimits {
  readonly bodyLength: number;
  readonly onlyCited: boolean;
}

/** Whether a line of an answer tells what is wrong: it is marked, and never cut off. */
export type IsTelling = (line: string) => boolean;

export const noneTells: IsTelling = () => false;

/** The exchanges by the scenarios that sent them; `anchor` is the id of the element that holds those of a scenario. */
export function evidenceOf(exchanges: readonly Exchange[]) {
  const scenarios = [...groupBy(exchanges, ({ scenario }) => scenario)];
  return new Map(
    scenarios.map(([name, own], index) => [
      name,
      { anchor: `scenario-${index + 1}`, exchanges: own },
    ]),
  );
}

export type Evidence = ReturnType<typeof evidenceOf>;

/** Every scenario with its exchanges. */
export function evidenceSection(
  results: Results,
  evidence: Evidence,
  limits: EvidenceLimits,
): Markup {
  const cited = new Set(results.violations.flatMap(exchangesOf));
  const { total } = results.requests;
  const scenarios = Array.from(evidence, ([name, { anchor, exchanges }]) => {
    const judged = results.clauses.filter((one) => one.scenarios.includes(name));
    const shown = exchanges.filter(({ number }) => !limits.onlyCited || cited.has(number));
    const hidden = exchanges.length - shown.length;
    return html`<details class="scenario" id="${anchor}">
<summary><span class="name">${name}</span> <span class="quiet">${counted(exchanges.length, 'exchange')}</span></summary>
<div class="inside">
${
  judged.length > 0 &&
  html`<p class="judges">Looks at ${judged.map(({ id }) => html`<a href="#${id}"><code>${id}</code></a> `)}</p>
<figure><figcaption>Run again</figcaption><pre class="command">${commandFor(name, results)}</pre></figure>`
}
<div class="exchanges">${shown.map((one) => exchange(one, cited.has(one.number), limits.bodyLength))}</div>
${hidden > 0 && html`<p class="quiet">${counted(hidden, 'exchange')} left out to limit the size of this page; exchanges.har has them.</p>`}
</div>
</details>
`;
  });
  const content =
    results.interruptedBy === 'a kill'
      ? html`<p>The run sent ${counted(total, 'request')}; what was exchanged went with it.</p>`
      : evidence.size === 0
        ? html`<p>No exchange was recorded.</p>`
        : html`<p>Every request of the run by the scenario that sent it. Keys were redacted when the exchanges were recorded; <code>$API_KEY</code> stands for whichever key a request carried. Long bodies are cut; <code>exchanges.har</code> holds more of them.</p>
${scenarios}`;
  return html`<section id="scenarios" aria-labelledby="scenarios-title">
<h2 id="scenarios-title">Scenarios and their exchanges</h2>
${content}
</section>`;
}

function exchange(one: Exchange, isCited: boolean, bodyLength: number): Markup {
  const { number, durationMs } = one;
  return html`<details class="exchange" id="exchange-${number}" data-number="${number}">
<summary><span class="number">#${number}</span> ${requestLine(one)} ${outcome(one)} <span class="quiet">${duration(durationMs)}${isCited && html` · <strong>shows a violation</strong>`}</span></summary>
${exchangeContent(one, bodyLength)}
</details>
`;
}

/** Characters of the bodies of an exchange beside its finding. */
const bodyOfShown = 1200;

/** An exchange beside its finding, open, with a link to its place among the scenarios, which shows all of it. */
export function shownExchange(one: Exchange, isCompared: boolean, isTelling: IsTelling): Markup {
  return html`<div class="exchange shown">
<p><a href="#exchange-${one.number}">#${one.number}</a> ${requestLine(one)} ${outcome(one)}${isCompared && html` <span class="tag compared">compared</span>`}</p>
${exchangeContent(one, bodyOfShown, isTelling)}
</div>
`;
}

/** A request on one line: its path from `/tasks`, `/assessments` or `/audit-sentinel` on, at most 100 characters. */
function requestLine({ request }: Exchange): Markup {
  const { pathname, search } = new URL(request.url);
  const whole = pathname + readableQuery(search);
  const path = whole.replace(/^.*?\/(?=tasks|assessments|audit-sentinel)/, '/');
  const shown = path.length > 100 ? `${path.slice(0, 99)}…` : path;
  return html`<code>${request.method} ${printableLine(shown)}</code>`;
}

function exchangeContent(one: Exchange, bodyLength: number, isTelling = noneTells): Markup {
  const { request, response, failure, startedAt, durationMs } = one;
  const { origin, pathname, searchParams } = new URL(request.url);
  const command = renderCurl(one);
  const most = Math.max(2000, bodyLength);
  return html`<div class="inside">
<div class="sides">
<figure><figcaption>Request, ${duration(startedAt)} into the run</figcaption><pre><b>${request.method} ${printableLine(origin + pathname)}</b>
${[...searchParams].map(parameterLine)}${headerLines(request.headers)}${request.body !== undefined && `\n${cut(prettyJson(request.body), bodyLength)}`}</pre></figure>
<figure><figcaption>${response === undefined ? 'No response' : `Response, after ${duration(durationMs)}${howMuch(response)}`}</figcaption><pre>${
    response !== undefined &&
    html`<b>${response.status} ${STATUS_CODES[response.status]}</b>
${headerLines(response.headers)}
${answerBody(one, response, bodyLength, isTelling)}`
  }${
    failure !== undefined &&
    html`
<b>${failure.why}</b>`
  }</pre></figure>
</div>
<figure><figcaption>As a curl command</figcaption><pre class="command${command.length > most && ' cut'}">${cut(command, most)}</pre></figure>
</div>`;
}

/** Links to exchanges, by their numbers. */
export function exchangeLinks(numbers: readonly number[]): Markup[] {
  return numbers.map(
    (number, index) => html`${index > 0 && ', '}<a href="#exchange-${number}">#${number}</a>`,
  );
}

function outcome({ response, failure }: Exchange): Markup {
  if (response === undefined) return html`<span class="status failed">no response</span>`;
  const kind = `s${Math.floor(response.status / 100)}`;
  const incomplete = failure !== undefined && html` <span class="status failed">incomplete</span>`;
  return html`<span class="status ${kind}">${response.status}</span>${incomplete}`;
}

function headerLines(headers: Headers): Markup[] {
  return headers.map(
    ([name, value]) =>
      html`<span class="header">${printableLine(name)}:</span> ${printableLine(value)}\n`,
  );
}

/** A parameter of the query, decoded; the command below has it as it was sent. */
function parameterLine([name, value]: readonly [string, string], index: number): Markup {
  const sign = index === 0 ? '?' : '&';
  return html`  ${sign}<span class="header">${printableLine(name)}</span>=${printableLine(value)}\n`;
}

/** “; of 9,000 bytes the first 4,000 were kept”; empty where the body was kept whole. */
function howMuch({ body, size }: NonNullable<Exchange['response']>): string {
  return size > body.byteLength
    ? `; of ${counted(size, 'byte')} the first ${numeral(body.byteLength)} were kept`
    : '';
}

/** The body of a response as text, as far as the limits allow; of a PDF and of other bytes only the size. */
function answerBody(
  { operation }: Exchange,
  response: NonNullable<Exchange['response']>,
  length: number,
  isTelling: IsTelling,
): Content {
  const { status, body, size } = response;
  if (size === 0) return '(no body)';
  const text = bodyText(response);
  const beginning = Buffer.from(body.subarray(0, 5)).toString('latin1');
  if (beginning === '%PDF-') return `(a PDF of ${counted(size, 'byte')})`;
  if (text === undefined) {
    const start = cut(printableLine(Buffer.from(body).toString('latin1')), 80);
    return `(${counted(size, 'byte')} that are not UTF-8 text, beginning with ${start})`;
  }
  // Of each line of a file, its end would be spelled out.
  const shown =
    operation === 'export' && status === 200 ? text.replaceAll('\r\n', '\n') : prettyJson(text);
  return linesAbout(isTelling, shown, length);
}

const maxTelling = 3;

/** A text with its telling lines marked; if it is too long, only its first line, those lines and their neighbours. */
function linesAbout(isTelling: IsTelling, text: string, length: number): Content {
  const lines = text.split('\n');
  const telling = [...lines.keys()].filter((index) => isTelling(lines[index] ?? ''));
  const [first] = telling;
  if (first === undefined) return cut(text, length);
  const shown = (index: number): Content => {
    const line = cut(lines[index] ?? '', length);
    return html`${telling.includes(index) ? html`<mark>${line}</mark>` : line}${index < lines.length - 1 && '\n'}`;
  };
  if (text.length <= length) return html`${[...lines.keys()].map(shown)}`;
  const around = [0, first - 1, ...telling.slice(0, maxTelling), first + 1].filter(
    (index) => index >= 0 && index < lines.length,
  );
  const indexes = [...new Set(around)].sort((a, b) => a - b);
  return html`${indexes.map((index, place) => html`${index - (indexes[place - 1] ?? -1) > 1 && '…\n'}${shown(index)}`)}… (${counted(lines.length, 'line')}${telling.length > maxTelling && `, ${telling.length} of them as marked`})`;
}

/** Deeper than this a text is left as it is: indentation would make it grow without bound. */
const maxDepth = 24;

/** Texts, empty lists and objects, brackets, marks, and what else stands between white space. */
const tokensOfJson = /"(?:[^"\\]|\\.)*"?|\[\s*\]|\{\s*\}|[[\]{}:,]|[^\s"[\]{}:,]+/gs;

/**
 * JSON with line breaks and indentation, for people. Works on the text, so that numbers, escapes and the order of keys
 * stay as they were sent, and a text that was cut is indented as far as it goes. Other text comes back unchanged.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  let pretty = '';
  let depth = 0;
  for (const token of text.match(tokensOfJson) ?? []) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return text;
    const line = `\n${'  '.repeat(Math.max(0, depth))}`;
    if (['{', '[', ','].includes(token)) pretty += token + line;
    else if (['}', ']'].includes(token)) pretty += line + token;
    else if (token === ':') pretty += ': ';
    else pretty += token.startsWith('"') ? token : token.replace(/\s+/, '');
  }
  return pretty;
}
