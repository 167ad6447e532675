import type { Difference, Fidelity } from '../schemas/fidelity.ts';
import { groupedFactsOf } from './facts.ts';
import { type FidelityVerdict, fidelitySentence } from './fidelity.ts';
import { fileLines } from './file-lines.ts';
import { byReasons, groupedBy } from './grouping.ts';
import { codeCell, codeSpan, plain } from './markdown-text.ts';
import { cut, printableLine } from './printable.ts';
import { type Style, terminal, uncommanding } from './terminal.ts';
import { andInMore, counted, reasonsText, sideReasonText } from './wording.ts';

const valueLength = 600;
/** On a terminal; the page names all. */
const mostSituations = 7;

const words: Readonly<Record<FidelityVerdict, { readonly word: string; readonly style: Style }>> = {
  faithful: { word: 'FAITHFUL', style: ['green', 'bold'] },
  'not faithful': { word: 'NOT FAITHFUL', style: ['red', 'bold'] },
  error: { word: 'ERROR OF THE SUITE', style: ['magenta', 'bold'] },
  incomplete: { word: 'INCOMPLETE', style: ['yellow', 'bold'] },
  'not compared': { word: 'NOT COMPARED', style: ['red', 'bold'] },
};

export interface FidelityTextOptions {
  readonly color: boolean;
  readonly width: number;
  readonly verdict: FidelityVerdict;
  /** Paths of the files that were written. */
  readonly files?: readonly string[];
}

/** What a person reads of a comparison, on a terminal. Ends with a line feed. */
export function renderFidelity(fidelity: Fidelity, options: FidelityTextOptions): string {
  const screen = terminal(options);
  const { paint, wrap } = screen;
  const { verdict, files = [] } = options;
  const { word, style } = words[verdict];
  const value = (text: string): string => cut(uncommanding(printableLine(text)), valueLength);
  const block = (title: string, lines: readonly string[], count: number): string[] =>
    lines.length === 0 ? [] : ['', paint('bold', `${title} (${count})`), ...lines];
  const clause = (id: string, text: string): string[] => [
    '',
    ...wrap(paint('bold', id), '  '),
    ...wrap(printableLine(text), '  '),
  ];
  const side = (title: string, texts: readonly string[]): string[] =>
    texts.flatMap((text, index) =>
      wrap(value(text), `    ${(index === 0 ? title : '').padEnd(11)}`, ' '.repeat(15)),
    );
  const reasons = (groups: readonly IdsByReason[]): string[] =>
    groups.flatMap(({ reason, ids }) => [
      ...wrap(value(reason), '  '),
      ...wrap(ids.join(', '), '    '),
    ]);
  const run = ({ target, date }: Fidelity['mock']): string => value(`${target}, ${date}`);
  return [
    ...wrap(`${word}  ${fidelitySentence(fidelity)}`, '').map((line) => paint(style, line)),
    '',
    ...wrap(run(fidelity.mock), '  Mock       '),
    ...wrap(run(fidelity.reference), '  Reference  '),
    ...block(
      'Clauses that the mock violates',
      fidelity.violated.flatMap(({ id, text, what, expected, actual, more }) => [
        ...clause(id, text),
        ...wrap(`${value(what)}${andInMore(more)}`, '    '),
        ...side('expected', [expected]),
        ...side('got', [actual]),
      ]),
      fidelity.counts.violated,
    ),
    ...block(
      'Open points that differ',
      fidelity.differing.flatMap((one) => [
        ...clause(one.id, one.text),
        ...side('reference', shownFacts(one.id, one.reference, mostSituations)),
        ...side('mock', shownFacts(one.id, one.mock, mostSituations)),
        ...alikeNote(one).map((note) => `    ${note}`),
      ]),
      fidelity.counts.differing,
    ),
    ...block('Not compared', reasons(uncomparedByReason(fidelity)), fidelity.counts.uncompared),
    ...block('Not judged', reasons(unjudgedByReason(fidelity)), fidelity.counts.unjudged),
    '',
    ...fileLines(files, screen),
    '',
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

/** The same as Markdown. */
export function renderFidelityMarkdown(fidelity: Fidelity, verdict: FidelityVerdict): string {
  const { violated, differing, alike, counts } = fidelity;
  const block = (title: string, count: number, lines: readonly string[]): string[] =>
    count === 0 ? [] : ['', `## ${title} (${count})`, '', ...lines];
  const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string[] =>
    [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const clause = ({ id, text }: { id: string; text: string }): string =>
    `${codeCell(id)}<br>${plain(text)}`;
  const values = (id: string, facts: readonly unknown[]): string =>
    shownFacts(id, facts)
      .map((value) => codeCell(value, valueLength))
      .join('<br>');
  const reasons = (groups: readonly IdsByReason[]): string[] =>
    groups.map(
      ({ reason, ids }) => `- ${plain(reason)}: ${ids.map((id) => codeSpan(id)).join(', ')}`,
    );
  const run = ({ target, date }: Fidelity['mock']): string => `${codeSpan(target)}, ${plain(date)}`;
  return [
    `# Fidelity of a mock: ${verdict}`,
    '',
    fidelitySentence(fidelity),
    '',
    `- Mock: ${run(fidelity.mock)}`,
    `- Reference: ${run(fidelity.reference)}`,
    ...block(
      'Clauses that the mock violates',
      counts.violated,
      table(
        ['Clause', 'Expected', 'Got'],
        violated.map((one) => [
          `${clause(one)}<br>${codeCell(one.what, valueLength)}${andInMore(one.more)}`,
          codeCell(one.expected, valueLength),
          codeCell(one.actual, valueLength),
        ]),
      ),
    ),
    ...block(
      'Open points that differ',
      counts.differing,
      table(
        ['Open point', 'Reference', 'Mock'],
        differing.map((one) => [
          [clause(one), ...alikeNote(one)].join('<br>'),
          values(one.id, one.reference),
          values(one.id, one.mock),
        ]),
      ),
    ),
    ...block('Not compared', counts.uncompared, reasons(uncomparedByReason(fidelity))),
    ...block('Not judged', counts.unjudged, reasons(unjudgedByReason(fidelity))),
    ...block('Alike', counts.alike, [alike.map((id) => codeSpan(id)).join(', ')]),
    '',
  ].join('\n');
}

/** How much is alike in a point that differs. */
export function alikeNote({ alike }: Difference): string[] {
  return alike.length === 0 ? [] : [`${counted(alike.length, 'value')} alike`];
}

/** What only one side does, in words. */
export function shownFacts(id: string, facts: readonly unknown[], max?: number): string[] {
  return facts.length === 0 ? ['nothing else'] : groupedFactsOf(id, facts, max);
}

/** Ids of clauses with the reason that they share, in words. */
export interface IdsByReason {
  readonly reason: string;
  readonly ids: readonly string[];
}

export function uncomparedByReason({ uncompared }: Fidelity): IdsByReason[] {
  const groups = groupedBy(uncompared, ({ reference, mock }) =>
    [...sideReasonText('Reference', reference), ...sideReasonText('Mock', mock)].join(' '),
  );
  return Array.from(groups, ([reason, clauses]) => ({ reason, ids: clauses.map(({ id }) => id) }));
}

export function unjudgedByReason({ unjudged }: Fidelity): IdsByReason[] {
  return byReasons(unjudged).map(({ reasons, clauses }) => ({
    reason: reasonsText(reasons),
    ids: clauses.map(({ id }) => id),
  }));
}
