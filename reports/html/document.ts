import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { present } from '../wording.ts';
import { html, Markup } from './markup.ts';

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
