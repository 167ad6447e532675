import {
  type Block,
  type Line,
  notesOf,
  type Report,
  type Row,
  type Section,
  sectionsOn,
  titleOf,
} from './blocks.ts';
import { cut, printable, printableLine, shownBeside } from './printable.ts';
import type { ToldFinding } from './run-report.ts';
import { counted, listed, present } from './wording.ts';

/** How much is shown: the whole stays well under the megabyte that the summary of a pipeline step may have. */
const max = { ids: 20, value: 600, findings: 30, scenarios: 3, text: 2000 };

/** A report as Markdown. Ends with a line feed. */
export function renderAsMarkdown(report: Report): string {
  const { kind, title, of = '', sentence, facts } = report;
  return [
    ...paragraphs(
      [`# ${kind}: ${title}${of}`],
      sentence !== undefined && [plain(sentence)],
      facts.map(([name, line]) => `- ${plain(name)}: ${lineText(line, codeSpan)}`),
      ...sectionsOn('markdown', report).map(sectionLines),
    ),
    '',
  ].join('\n');
}

/** The lines of several paragraphs, those that are there, with an empty line between them. */
function paragraphs(...parts: readonly (readonly string[] | false)[]): string[] {
  return present(...parts).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function sectionLines(section: Section): string[] {
  const { intro, block, isAppendix = false } = section;
  const content = paragraphs(
    intro !== undefined && [lineText(intro, codeSpan)],
    block !== undefined && blockLines(block),
  );
  const title = titleOf(section);
  return isAppendix ? folded(title, content) : paragraphs([`## ${title}`], content);
}

function folded(summary: string, content: readonly string[]): string[] {
  return paragraphs(['<details>', `<summary>${summary}</summary>`], content, ['</details>']);
}

function blockLines(block: Block): string[] {
  switch (block.kind) {
    case 'list':
      return block.items.map((lines) => `- ${joined(lines, codeSpan)}`);
    case 'table':
      return [
        row(block.columns.map((name) => [[name]])),
        row(block.columns.map(() => [['---']])),
        ...block.rows.map(row),
      ];
    case 'code':
      return paragraphs(
        ...block.items.map(({ caption, text, isCommand }) =>
          isCommand
            ? codeBlock('sh', text)
            : paragraphs([lineText(caption, codeSpan)], codeBlock('', cut(text, max.text))),
        ),
      );
    case 'findings':
      return findingsLines(block.items);
  }
}

function findingsLines(findings: readonly ToldFinding[]): string[] {
  const shown = findings.slice(0, max.findings);
  const hidden = findings.length - shown.length;
  const title = ({ number, headline }: ToldFinding): string => `${number}. ${codeSpan(headline)}`;
  return paragraphs(
    shown.map(title),
    ...shown.flatMap((one) => [[`### ${title(one)}`], findingLines(one)]),
    hidden > 0 && [`And ${counted(hidden, 'more finding')}.`],
  );
}

function findingLines(finding: ToldFinding): string[] {
  const { on, also, clauses, scenarios, requests } = finding;
  const { expected, actual } = shownBeside(finding.expected, finding.actual, max.value);
  // `#3` would link to an issue.
  const exchanges = on.map((number) => `no. ${number}`).join(', ');
  const note =
    requests?.writesTo === undefined ? '' : '; they write to a task, then assign it as it was';
  return paragraphs(
    [`Shown by ${exchanges === '' ? 'no exchange' : `exchange ${exchanges}`}${notesOf(finding)}.`],
    also.length > 0 && [`Also: ${codeSpan(also.join('; '))}.`],
    codeBlock('diff', `- expected: ${oneLine(expected)}\n+ actual:   ${oneLine(actual)}`),
    clauses.map(
      ({ id, level, section, text }) => `- ${codeSpan(id)} (${level}, ${section}): ${text}`,
    ),
    [`Found by ${plain(listed(scenarios, max.scenarios))}.`],
    requests !== undefined &&
      folded(
        `Its requests, as in <code>${requests.file}</code>${note}`,
        codeBlock('sh', requests.pasted.join('\n')),
      ),
  );
}

// A line feed in a value would begin a line of the diff that is neither expected nor actual.
function oneLine(value: string): string {
  return value.replaceAll('\n', '\\n');
}

function row(cells: Row): string {
  return `| ${cells.map((lines) => joined(lines, codeCell)).join(' | ')} |`;
}

/** Lines joined by `<br>`. @param code how a value is written: by `codeCell` in a table, else by `codeSpan` */
function joined(lines: readonly Line[], code: typeof codeSpan): string {
  return lines.map((line) => lineText(line, code)).join('<br>');
}

function lineText(line: Line, code: typeof codeSpan): string {
  const texts = line.map((span) => {
    if (typeof span === 'string') return plain(span);
    if ('verdict' in span) return span.verdict === 'violated' ? '**violated**' : span.verdict;
    if ('value' in span) return code(span.value);
    return 'link' in span ? `<${encodeURI(span.link)}>` : listed(span.clauses.map(code), max.ids);
  });
  return texts.join('');
}

/** Untrusted text as a code span, in which Markdown and mentions mean nothing; cut, on one line. */
function codeSpan(text: string): string {
  const line = cut(printableLine(text), max.value);
  const fence = fenceAround(line, 1);
  const space = /^[` ]|[` ]$/.test(line) || line === '' ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

function codeCell(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

function codeBlock(language: string, text: string): string[] {
  const content = printable(text);
  const fence = fenceAround(content, 3);
  return [`${fence}${language}`, ...content.split('\n'), fence];
}

/** Words of the suite, or of a waiver or configuration: they are shown as they stand, and none of them is markup. */
function plain(text: string): string {
  return printableLine(text).replace(/[\\<>[\]*_|~@#&]/g, (character) => `\\${character}`);
}

/** A fence of backticks, longer than every run of them in the text, which could close it. @param least its least length */
function fenceAround(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(Math.max(least, ...runs.map(({ length }) => length + 1)));
}
