import type { Exchange } from '../helpers/http/exchange.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  isUpheldInPart,
  type Reason,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { commandFor } from './commands.ts';
import { shownBeside } from './difference.ts';
import { factsOf } from './facts.ts';
import { type Finding, findingsOf } from './findings.ts';
import {
  byLacks,
  byReasons,
  countByVerdict,
  isSelected,
  leftOutClauses,
  reasonsOfVerdict,
  undecidedClauses,
  upheldInPart,
  violatedClauses,
} from './grouping.ts';
import { headlineOf } from './headlines.ts';
import { codeBlock, codeCell, codeSpan, plain } from './markdown-text.ts';
import { cut } from './printable.ts';
import { requestsFile, requestsOf } from './requests.ts';
import { noWaivers, type WaiverReview, waiverStates } from './waivers.ts';
import {
  counted,
  duration,
  exchangesOf,
  headline,
  instant,
  reasonsText,
  repeatsText,
  stacksOf,
  textsOf,
  unusableLines,
  unusableText,
} from './wording.ts';
import { howToRestore, putBackText } from './writes.ts';

/** Keeps the whole well under the megabyte that a step summary may have. */
const max = { findings: 30, scenarios: 3, again: 6, value: 600, ids: 40, stack: 2000 };

/**
 * The results for a pull request or the summary of a pipeline step; what was found comes first.
 * @param exchanges of the run, redacted: what shows the findings
 */
export function renderMarkdown(
  results: Results,
  review: WaiverReview = noWaivers,
  exchanges: readonly Exchange[] = [],
): string {
  const { word, of, sentence } = headline(results, review);
  const findings = findingsOf(violatedClauses(results, review.covered));
  const blocks = [
    [`# ${word}${of}`, '', plain(sentence)],
    [runLine(results)],
    unusable(results),
    leftChanged(results),
    violations(findings, results, exchanges),
    suiteErrors(results),
    waivers(review),
    countTable(results, review),
    inconclusive(results),
    notJudged(results),
    leftOut(results),
    observations(results.clauses),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

/** What is wrong with the configuration, and what that costs. */
function unusable(results: Results): string[] {
  const lines = unusableLines(results.unusable, results.clauses);
  return lines.length === 0
    ? []
    : ['## Wrong in the configuration', '', ...lines.map((line) => `- ${codeSpan(line)}`)];
}

/** The tasks that are not as they were before the run, and what to do about it. */
function leftChanged(results: Results): string[] {
  const { leftChanged: tasks = [] } = results;
  const todo = howToRestore(results);
  if (tasks.length === 0 && todo === undefined) return [];
  return [
    tasks.length === 0
      ? '## Tasks that may not be as they were before'
      : `## Tasks that are not as they were before (${tasks.length})`,
    ...(tasks.length === 0 ? [] : ['']),
    ...tasks.map((task) => `- ${codeSpan(task.taskId)}: ${codeSpan(putBackText(task), max.value)}`),
    ...(todo === undefined ? [] : ['', todo.sentence, '', ...codeBlock('sh', [todo.command])]),
  ];
}

function runLine({ suite, target, startedAt, durationMs, requests, seed }: Results): string {
  const kind = target.kind === 'embedded' ? 'Embedded reference service' : 'Target';
  return [
    `${kind} ${codeSpan(target.baseUrl)}`,
    plain(instant(startedAt)),
    duration(durationMs),
    plain(`${counted(requests.total, 'request')}${repeatsText(requests)}`),
    `seed ${seed}`,
    `suite ${plain(suite)}`,
  ].join(' · ');
}

function violations(
  findings: readonly Finding[],
  results: Results,
  exchanges: readonly Exchange[],
): string[] {
  if (findings.length === 0) return [];
  const clauses = new Set(findings.flatMap((finding) => finding.clauses.map(({ id }) => id)));
  const shown = findings.slice(0, max.findings);
  const hidden = findings.length - shown.length;
  return [
    `## ${counted(findings.length, 'finding')}, of ${counted(clauses.size, 'violated clause')}`,
    '',
    ...shown.map((finding, index) => `${index + 1}. ${codeSpan(headlineOf(finding), 600)}`),
    ...shown.flatMap((finding, index) => [
      '',
      ...findingLines(finding, index + 1, results, exchanges),
    ]),
    ...(hidden === 0 ? [] : ['', `And ${counted(hidden, 'more finding')}.`]),
  ];
}

function findingLines(
  finding: Finding,
  number: number,
  results: Results,
  exchanges: readonly Exchange[],
): string[] {
  const { violation, violations, clauses } = finding;
  const scenarios = [...new Set(violations.map(({ scenario }) => scenario))];
  const hidden = scenarios.length - max.scenarios;
  const ids = clauses.map(({ id }) => id);
  return [
    `### ${number}. ${codeSpan(headlineOf(finding), 600)}`,
    ...violationLines(violation, isIntermittent(violations)),
    '',
    ...clauses.map(
      ({ id, level, section, text }) => `- ${codeSpan(id)} (${level}, ${section}): ${text}`,
    ),
    '',
    `Found by ${scenarios
      .slice(0, max.scenarios)
      .map((name) => plain(name))
      .join('; ')}${hidden > 0 ? `; and ${counted(hidden, 'more scenario')}` : ''}.`,
    ...requests(finding, number, results, exchanges),
    '',
    `Run again: ${codeSpan(commandFor(ids.slice(0, max.again), results), 1000)}`,
  ];
}

function isIntermittent(violations: readonly ViolationResult[]): boolean {
  return violations.every(({ intermittent }) => intermittent);
}

function violationLines(violation: ViolationResult, intermittent: boolean): string[] {
  const exchanges = exchangesOf(violation)
    .map((number) => `no. ${number}`)
    .join(', ');
  const texts = textsOf(violation);
  const { expected, actual } = shownBeside(texts.expected, texts.actual, max.value);
  return [
    '',
    `${codeSpan(texts.done)}${exchanges && `, exchange ${exchanges}`}${intermittent ? ' (intermittent)' : ''}`,
    '',
    ...codeBlock('diff', [`- expected: ${oneLine(expected)}`, `+ actual:   ${oneLine(actual)}`]),
  ];
}

/** The commands that show it by itself. */
function requests(
  finding: Finding,
  number: number,
  results: Results,
  exchanges: readonly Exchange[],
): string[] {
  const { pasted, writesTo } = requestsOf(finding, results, exchanges) ?? {};
  if (pasted === undefined) return [];
  const told = writesTo === undefined ? '' : '; they write to a task, then assign it as it was';
  return [
    '',
    '<details>',
    `<summary>Its requests, as in <code>${requestsFile(number)}</code>${told}</summary>`,
    '',
    ...codeBlock('sh', pasted),
    '',
    '</details>',
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

/** The clauses that are judged, and beside them the open points; what is neither stands below the totals. */
function countTable({ clauses }: Results, { waivedClauses }: WaiverReview): string[] {
  const isOutside = (clause: ClauseResult): boolean =>
    clause.verdict === 'untestable' || !isSelected(clause);
  const inside = clauses.filter((clause) => !isOutside(clause));
  const levels: readonly (readonly ClauseResult['level'][])[] = [
    ['stated'],
    ['implied'],
    ['stated', 'implied'],
    ['open'],
  ];
  const row = (title: string, some: readonly ClauseResult[]): string => {
    const counts = levels.map((own) => some.filter(({ level }) => own.includes(level)).length);
    return `| ${title} | ${counts.join(' | ')} |`;
  };
  const rowOf = (title: string, isMeant: (clause: ClauseResult) => boolean): string[] => {
    const some = clauses.filter(isMeant);
    return some.length === 0 ? [] : [row(title, some)];
  };
  const has = (kind: Reason['kind']) => (clause: ClauseResult) =>
    clause.reasons.some((reason) => reason.kind === kind);
  return [
    '| Verdict | stated | implied | clauses | open points |',
    `| --- |${' ---: |'.repeat(levels.length)}`,
    ...clauseVerdicts.flatMap((verdict) => {
      const some = inside.filter(
        (clause) => clause.verdict === verdict && !waivedClauses.has(clause.id),
      );
      const inPart = some.filter(isUpheldInPart);
      const whole = some.filter((clause) => !inPart.includes(clause));
      return [
        ...(whole.length === 0 ? [] : [row(verdict, whole)]),
        ...(inPart.length === 0 ? [] : [row(upheldInPart, inPart)]),
      ];
    }),
    ...rowOf('waived', ({ id }) => waivedClauses.has(id)),
    row('**total**', inside),
    ...rowOf('left out', has('left out')),
    ...rowOf('not chosen', has('not selected')),
    ...rowOf('untestable', ({ verdict }) => verdict === 'untestable'),
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

/** The clauses that were not judged, and those that were not judged whole. */
function notJudged(results: Results): string[] {
  const undecided = undecidedClauses(results);
  const sections = [
    lackLines(
      'Not judged',
      undecided.filter(({ verdict }) => verdict === 'not judged'),
    ),
    lackLines('Upheld in part; not judged in the rest', undecided.filter(isUpheldInPart)),
  ].filter(({ length }) => length > 0);
  return sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** Clauses by the variables that are missing, or else by the reason. */
function lackLines(title: string, clauses: readonly ClauseResult[]): string[] {
  const { lacking, others } = byLacks(clauses);
  return titled(`${title} (${clauses.length})`, [
    ...lacking.map(({ lacks, clauses: some }) => {
      const names = lacks.map(({ variable }) => codeSpan(variable)).join(' + ');
      const wrong = lacks.flatMap(({ variable, unusable = [] }) =>
        unusableText(variable, unusable),
      );
      const told = wrong.length === 0 ? lacks.map(({ what }) => what) : wrong;
      const why = ` (${told.map((text) => codeSpan(text)).join('; ')})`;
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
