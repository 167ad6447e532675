import {
  type ClauseResult,
  clauseVerdicts,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { commandFor } from './commands.ts';
import { shownBeside } from './difference.ts';
import { factsOf } from './facts.ts';
import {
  byLacks,
  byReasons,
  countByVerdict,
  leftOutClauses,
  reasonsOfVerdict,
  undecidedClauses,
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
  unusableText,
  whatWasDone,
} from './wording.ts';

/** Keeps the whole well under the megabyte that a step summary may have. */
const max = { clauses: 40, scenarios: 3, value: 600, ids: 40, stack: 2000 };

/** The results for a pull request or the summary of a pipeline step; the violations come first. */
export function renderMarkdown(results: Results, review: WaiverReview = noWaivers): string {
  const { word, sentence } = headline(results, review);
  const violated = violatedClauses(results, review.covered);
  const blocks = [
    [`# ${word}`, '', plain(sentence)],
    [runLine(results)],
    violations(violated, results),
    suiteErrors(results),
    waivers(review),
    countTable(results.clauses),
    inconclusive(results),
    notJudged(results),
    leftOut(results),
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
    requests.repeated === 0
      ? counted(requests.total, 'request')
      : `${requests.repeated} of ${counted(requests.total, 'request')} had to be repeated`,
    `seed ${seed}`,
    `suite ${plain(suite)}`,
  ].join(' · ');
}

function violations(violated: readonly ViolatedClause[], results: Results): string[] {
  if (violated.length === 0) return [];
  const rest = violated.slice(max.clauses).map(({ clause }) => clause.id);
  return [
    `## Violated (${violated.length})`,
    ...violated.slice(0, max.clauses).flatMap((one) => ['', ...violatedClause(one, results)]),
    ...(rest.length === 0 ? [] : ['', `And ${rest.map((id) => codeSpan(id)).join(', ')}.`]),
  ];
}

function violatedClause({ clause, violations }: ViolatedClause, results: Results): string[] {
  const hidden = violations.length - max.scenarios;
  const command = commandFor(clause.id, results);
  return [
    `### ${codeSpan(clause.id)}`,
    '',
    `${clause.text} (${clause.level}, ${clause.section})`,
    ...violations.slice(0, max.scenarios).flatMap(violationLines),
    ...(hidden > 0 ? ['', `And in ${counted(hidden, 'more scenario')}.`] : []),
    '',
    `Run again: ${codeSpan(command)}`,
  ];
}

function violationLines(violation: ViolationResult): string[] {
  const exchanges = exchangesOf(violation)
    .map((number) => `no. ${number}`)
    .join(', ');
  const { expected, actual } = shownBeside(violation.expected, violation.actual, max.value);
  return [
    '',
    `**${plain(violation.scenario)}**${violation.intermittent ? ' (intermittent)' : ''}: ${codeSpan(whatWasDone(violation))}${exchanges && `, exchange ${exchanges}`}`,
    '',
    ...codeBlock('diff', [`- expected: ${oneLine(expected)}`, `+ actual:   ${oneLine(actual)}`]),
  ];
}

// A line feed of the target's would begin a line that is neither expected nor actual.
function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
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

function inconclusive(results: Results): string[] {
  const clauses = undecidedClauses(results).filter(({ verdict }) => verdict === 'inconclusive');
  return titled(
    `Inconclusive (${clauses.length})`,
    byReasons(clauses).map(
      (group) => `- ${codeSpan(reasonsText(group.reasons))}: ${idsOf(group.clauses)}`,
    ),
  );
}

/** The clauses that were not judged, by the variables that are missing, or else by the reason. */
function notJudged(results: Results): string[] {
  const clauses = undecidedClauses(results).filter(({ verdict }) => verdict === 'not judged');
  const { lacking, others } = byLacks(clauses);
  return titled(`Not judged (${clauses.length})`, [
    ...lacking.map(({ lacks, clauses: some }) => {
      const names = lacks.map(({ variable }) => codeSpan(variable)).join(' + ');
      const wrong = lacks.flatMap(({ variable, unusable = [] }) =>
        unusableText(variable, unusable),
      );
      const why = wrong.length === 0 ? '' : ` (${wrong.map((text) => codeSpan(text)).join('; ')})`;
      return `- ${names}${why}, ${counted(some.length, 'clause')}: ${idsOf(some)}`;
    }),
    ...others.map((group) => `- ${codeSpan(reasonsText(group.reasons))}: ${idsOf(group.clauses)}`),
  ]);
}

function leftOut(results: Results): string[] {
  const clauses = leftOutClauses(results);
  return titled(`Left out (${clauses.length})`, clauses.length === 0 ? [] : [idsOf(clauses)]);
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
}

function idsOf(clauses: readonly ClauseResult[]): string {
  const hidden = clauses.length - max.ids;
  const ids = clauses.slice(0, max.ids).map(({ id }) => codeSpan(id));
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
        ...codeBlock('', cut(stack, max.stack).split('\n')),
      ]),
    ]),
  ];
}

function observations(clauses: readonly ClauseResult[]): string[] {
  const observed = clauses.filter(({ verdict }) => verdict === 'observed');
  if (observed.length === 0) return [];
  return [
    '<details>',
    `<summary>Observed on open points (${observed.length})</summary>`,
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
