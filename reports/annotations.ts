import { type Block, type Line, type Report, type Section, sectionsOn } from './blocks.ts';
import { cut, printable, shownBeside } from './printable.ts';
import { inBrackets, present } from './wording.ts';

type Severity = NonNullable<Section['annotated']>;

/** How much is shown: GitHub shows at most ten annotations of a kind for a step. */
const max = { annotations: 10, value: 200, message: 1000 };

/** A report as workflow commands of GitHub Actions, `::error title=…::…`. Ends with a line feed, or is empty. */
export function renderAnnotations(report: Report): string {
  const sections = sectionsOn('annotations', report);
  const lines = (['error', 'warning', 'notice'] as const).flatMap((severity) => {
    const annotated = sections.filter((section) => section.annotated === severity);
    const commands = annotated.flatMap((section) => commandsOf(section, severity));
    if (commands.length <= max.annotations) return commands;
    const shown = commands.slice(0, max.annotations - 1);
    const rest = `and ${commands.length - shown.length} more`;
    return [...shown, command(severity, rest, 'The reports of the run have all of them.')];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function commandsOf({ title, intro, block }: Section, severity: Severity): string[] {
  const messages = block === undefined ? [{ lines: [] }] : messagesOf(block);
  const opening = intro === undefined || block?.kind === 'list' ? [] : [lineText(intro)];
  return messages.map(({ headline = title, lines }) =>
    command(severity, headline, [...opening, ...lines].join('\n')),
  );
}

function messagesOf(block: Block): { headline?: string; lines: string[] }[] {
  switch (block.kind) {
    case 'list':
      return block.items.map((lines) => ({ lines: lines.map(lineText) }));
    case 'table':
      return block.rows.map((cells) => ({ lines: cells.flat().map(lineText) }));
    case 'code':
      return block.items.map(({ caption, text, isCommand }) => ({
        lines: isCommand ? [text] : [lineText(caption), text],
      }));
    case 'findings':
      return block.items.map(({ headline, on, also, clauses, ...values }) => {
        const { expected, actual } = shownBeside(values.expected, values.actual, max.value);
        const lines = present(
          `Expected ${expected}, got ${actual}${inBrackets(on)}`,
          also.length > 0 && `Also: ${also.join('; ')}`,
          ...clauses.map(({ id, text }) => `${id}: ${text}`),
        );
        return { headline, lines };
      });
  }
}

function lineText(line: Line): string {
  const texts = line.map((span) => {
    if (typeof span === 'string') return span;
    if ('clauses' in span) return span.clauses.join(', ');
    if ('verdict' in span) return span.verdict;
    return 'link' in span ? span.link : span.value;
  });
  return texts.join('');
}

function command(severity: Severity, title: string, message: string): string {
  const property = escapedData(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${severity} title=${property}::${escapedData(cut(message, max.message))}`;
}

function escapedData(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}
