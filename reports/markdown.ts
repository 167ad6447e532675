import {
  type ClauseResult,
  type ClauseVerdict,
  clauseVerdicts,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { commandsForClause } from './commands.ts';
import { factsOf } from './facts.ts';
import {
  countByVerdict,
  reasonsOfVerdict,
  type ViolatedClause,
  violatedClauses,
} from './grouping.ts';
import { codeBlock, codeCell, codeSpan, plain } from './markdown-text.ts';
import { cut } from './printable.ts';
import { noWaivers, type WaiverReview, waiverStates } from './waivers.ts';
import {
  counted,
  duration,
  exchangesOf,
  headline,
  instant,
  reasonsText,
  stacksOf,
  whatWasDone,
} from './wording.ts';

/** Keeps the whole well under the megabyte that a step summary may have. */
const spelledOut = { clauses: 40, scenarios: 3, value: 600, ids: 40, stack: 2000 };

/** The results for a pull request or the summary of a pipeline step; the violations come first. */
export function renderMarkdown(results: Results, review: WaiverReview = noWaivers): string {
  const { word, sentence } = headline(results, review);
  const waived = new Set(review.waived.map(({ clause }) => clause));
  const violated = violatedClauses(results).filter(({ clause }) => !waived.has(clause.id));
  const blocks = [
    [`# ${word}`, '', plain(sentence)],
    [runLine(results)],
    violations(violated, results.seed),
    suiteErrors(results),
    waivers(review),
    countTable(results.clauses),
    undecided(results, 'inconclusive'),
    undecided(results, 'not judged'),
    observations(results.clauses),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

function runLine({ suite, target, startedAt, durationMs, requests, seed }: Results): string {
  const kind = target.kind === 'embedded' ? 'Embedded reference service' : 'Target';
  return [
    `${kind} ${codeSpan(target.baseUrl)}`,
    plain(instant(startedAt)),
    duration(durationMs),
    counted(requests.total, 'request'),
    `seed ${seed}`,
    `suite ${plain(suite)}`,
  ].join(' · ');
}

function violations(violated: readonly ViolatedClause[], seed: number): string[] {
  if (violated.length === 0) return [];
  const rest = violated.slice(spelledOut.clauses).map(({ clause }) => clause.id);
  return [
    `## Violated (${violated.length})`,
    ...violated.slice(0, spelledOut.clauses).flatMap((one) => ['', ...violatedClause(one, seed)]),
    ...(rest.length === 0 ? [] : ['', `And ${rest.map((id) => codeSpan(id)).join(', ')}.`]),
  ];
}

function violatedClause({ clause, violations }: ViolatedClause, seed: number): string[] {
  const hidden = violations.length - spelledOut.scenarios;
  const [command] = commandsForClause(clause.id, seed);
  return [
    `### ${codeSpan(clause.id)}`,
    '',
    `${clause.text} (${clause.level}, ${clause.section})`,
    ...violations.slice(0, spelledOut.scenarios).flatMap(violationLines),
    ...(hidden > 0 ? ['', `And in ${counted(hidden, 'more scenario')}.`] : []),
    '',
    `Play again: ${codeSpan(command)}`,
  ];
}

function violationLines(violation: ViolationResult): string[] {
  const exchanges = exchangesOf(violation)
    .map((number) => `no. ${number}`)
    .join(', ');
  return [
    '',
    `**${plain(violation.scenario)}**${violation.intermittent ? ' (intermittent)' : ''}: ${codeSpan(whatWasDone(violation))}${exchanges && `, exchange ${exchanges}`}`,
    '',
    ...codeBlock('diff', [
      `- expected: ${oneLine(violation.expected)}`,
      `+ actual:   ${oneLine(violation.actual)}`,
    ]),
  ];
}

// A line feed of the target's would begin a line that is neither expected nor actual.
function oneLine(text: string): string {
  return cut(text, spelledOut.value).replaceAll('\n', '\\n');
}

function waivers(review: WaiverReview): string[] {
  const states = waiverStates.filter(({ state }) => review[state].length > 0);
  return states.flatMap(({ state, title }, index) => [
    ...(index === 0 ? [] : ['']),
    `## ${title} (${review[state].length})`,
    '',
    ...review[state].map(
      ({ clause, reason, owner, issue, expires }) =>
        `- ${codeSpan(clause)}: ${plain(reason)} (${plain(owner)}, until ${expires}, <${encodeURI(issue)}>)`,
    ),
  ]);
}

function countTable(clauses: readonly ClauseResult[]): string[] {
  const row = (title: string, some: readonly ClauseResult[]): string => {
    const counts = countByVerdict(some);
    return `| ${title} | ${clauseVerdicts.map((verdict) => counts[verdict]).join(' | ')} | ${some.length} |`;
  };
  return [
    `| Level | ${clauseVerdicts.join(' | ')} | all |`,
    `| --- |${' ---: |'.repeat(clauseVerdicts.length + 1)}`,
    ...(['stated', 'implied', 'open'] as const).map((level) =>
      row(
        level,
        clauses.filter((clause) => clause.level === level),
      ),
    ),
    row('all', clauses),
  ];
}

function undecided(
  results: Results,
  verdict: Extract<ClauseVerdict, 'inconclusive' | 'not judged'>,
): string[] {
  const groups = reasonsOfVerdict(results, verdict);
  if (groups.length === 0) return [];
  return [
    `## ${verdict === 'inconclusive' ? 'Inconclusive' : 'Not judged'} (${countByVerdict(results.clauses)[verdict]})`,
    '',
    ...groups.map(
      ({ reasons, clauses }) => `- ${codeSpan(reasonsText(reasons))}: ${idsOf(clauses)}`,
    ),
  ];
}

function idsOf(clauses: readonly ClauseResult[]): string {
  const hidden = clauses.length - spelledOut.ids;
  const ids = clauses.slice(0, spelledOut.ids).map(({ id }) => codeSpan(id));
  return `${ids.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

/** Our own failures, each with its stack. */
function suiteErrors(results: Results): string[] {
  const groups = reasonsOfVerdict(results, 'error');
  if (groups.length === 0) return [];
  return [
    `## Errors of the suite (${countByVerdict(results.clauses).error})`,
    '',
    'The suite itself failed; this says nothing about the target.',
    ...groups.flatMap(({ reasons, clauses }) => [
      '',
      idsOf(clauses),
      ...stacksOf(reasons).flatMap((stack) => [
        '',
        ...codeBlock('', cut(stack, spelledOut.stack).split('\n')),
      ]),
    ]),
  ];
}

function observations(clauses: readonly ClauseResult[]): string[] {
  const observed = clauses.filter(({ verdict }) => verdict === 'observed');
  if (observed.length === 0) return [];
  return [
    '<details>',
    `<summary>Observed where the document is open (${observed.length})</summary>`,
    '',
    '| Clause | Observed |',
    '| --- | --- |',
    ...observed.map(
      (clause) =>
        `| ${codeCell(clause.id)} | ${factsOf(clause)
          .map((fact) => codeCell(fact))
          .join('<br>')} |`,
    ),
    '',
    '</details>',
  ];
}
