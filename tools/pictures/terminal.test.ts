import { expect, test } from 'vitest';
import { terminalAsHtml } from './terminal.mjs';

test('colours begin and end where the terminal says so, and text stays text', () => {
  const page = terminalAsHtml('\u001b[1m\u001b[31mVIOLATIONS\u001b[39m\u001b[22m <task> & more\n');
  const spans = [...page.matchAll(/<span style="([^"]*)">([^<]*)<\/span>/g)];
  expect(spans.map(([, style, text]) => [style, text]).filter(([, text]) => text !== '')).toEqual([
    ['font-weight:bold;color:#ff8f8a;', 'VIOLATIONS'],
    ['', ' &lt;task> &amp; more'],
  ]);
});
