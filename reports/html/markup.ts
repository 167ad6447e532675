import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escaped } from '../printable.ts';
import type { ToldVerdict } from '../verdicts.ts';
import { present } from '../wording.ts';

/** HTML that is safe to put into a page: whatever it holds of a target has been escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes. Texts are escaped; `undefined` and `false` are nothing. */
export type Content = string | number | Markup | undefined | false | readonly Content[];

/** A template for HTML that escapes every value but Markup. Values of attributes must stand in quotes. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  const text = strings.map((string, index) => string + textOf(values[index])).join('');
  return new Markup(text);
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escaped(String(content));
}

/** A text of the catalogue, with what stands in backticks as code. */
export function withCode(text: string): Markup[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

const styles = ['ground', 'head', 'filter', 'rows', 'tables', 'narrow', 'print'];
const css = styles.map((name) => read(`./style/${name}.css`)).join('\n');

/** The script that makes clauses searchable and evidence foldable, for pages that have them. */
export const clauseScript = read('./browser/page.js');

/** A page in one file that loads nothing. Ends with a line feed. */
export function document(title: string, body: Markup, script?: string): string {
  // Only its own styles and script are allowed, by their hashes.
  const policy = present(
    "default-src 'none'",
    `style-src ${hash(css)}`,
    script !== undefined && `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ).join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(css)}</style>
</head>
<body>
${body}
${
  script !== undefined &&
  html`<script>${new Markup(script)}</script>
`
}</body>
</html>
`.text;
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The sign of each verdict, as none is told by colour alone, and its meaning; in the order in which the page lists them. */
const verdicts: Readonly<Record<ToldVerdict, readonly [sign: string, meaning: string]>> = {
  upheld: ['✓', 'What was seen agrees with the clause.'],
  'upheld in part': [
    '◐',
    'What was seen agrees with the clause; a part of it could not be judged for want of configuration.',
  ],
  violated: ['✗', 'The target broke the clause; the exchanges that show it are in the evidence.'],
  waived: ['⚑', 'Violated, and accepted until a date by somebody who is named.'],
  error: ['!', 'The suite itself failed; this says nothing about the target.'],
  inconclusive: [
    '?',
    'What came back does not decide the clause: timeouts, server errors, or a change by somebody else.',
  ],
  'not judged': ['–', 'Something that is needed to judge it is missing; the reason says what.'],
  'left out': ['/', 'Not to be judged: left out on purpose, by EXCEPT.'],
  observed: [
    '◦',
    'The document leaves it open; what the target does is recorded, and never wrong.',
  ],
  untestable: ['∅', 'No request can show it; the reason says why.'],
};

/** All verdicts, in the order in which the page lists them. The cast restores the type that Object.keys forgets. */
export const toldVerdicts = Object.keys(verdicts) as readonly ToldVerdict[];

export function meaningOf(verdict: ToldVerdict): string {
  return verdicts[verdict][1];
}

/** The CSS class of a verdict. */
export function verdictClass(verdict: ToldVerdict): string {
  return verdict.replaceAll(' ', '-');
}

export function badge(verdict: ToldVerdict): Markup {
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${verdicts[verdict][0]}</span> ${verdict}</span>`;
}

/** A verdict as a mark of one character, for a row of recent runs. */
export function mark(verdict: ToldVerdict): Markup {
  return html`<span class="mark ${verdictClass(verdict)}" aria-hidden="true">${verdicts[verdict][0]}</span>`;
}
