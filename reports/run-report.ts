import type { Exchange } from '../helpers/http/exchange.ts';
import type { ClauseResult, Results, RunVerdict } from '../schemas/results.ts';
import { filled, idsOf, listSection, type Report, type Section, targetLine } from './blocks.ts';
import { commandFor, invocation } from './commands.ts';
import { recurrenceOf, recurrenceText, sinceLastRun } from './compare.ts';
import { factsOf } from './facts.ts';
import { findingsOf, findingsUnder, headlineOf, otherWays, textsOf } from './findings.ts';
import { numeral } from './printable.ts';
import { requestsFile, requestsOf } from './requests.ts';
import {
  byLacks,
  byReasons,
  hasReason,
  isUndecided,
  noWaivers,
  type ReasonGroup,
  type ToldVerdict,
  tallyOf,
  toldVerdict,
  undecidedClauses,
  verdictUnder,
  type WaiverReview,
  waiversFail,
} from './verdicts.ts';
import {
  counted,
  duration,
  exchangesOf,
  instant,
  present,
  reasonsText,
  repeatsText,
  stacksOf,
  unusableLines,
  unusableText,
} from './wording.ts';
import { howToRestore, leftChangedTexts, putBackText } from './writes.ts';

// What a person is told of a run, on a terminal, on a page, in Markdown, or as annotations of a pipeline.

/** What is known of a run. */
export interface ToldRun {
  readonly results: Results;
  readonly review: WaiverReview;
  /** The exchanges of the run, redacted: what shows the findings. */
  readonly exchanges: readonly Exchange[];
  /** Paths of the files that were written whole. */
  readonly files: readonly string[];
  /** Earlier runs of the same target, the oldest first. */
  readonly history: readonly Results[];
}

/** The most clauses that the command to run again names. */
const maxAgain = 6;

/** The report of a run. */
export function runReport(run: ToldRun): Report {
  const { results, review, history } = run;
  const head = headline(results, review);
  const findings = toldFindings(run);
  const counting = findings.filter(({ isWaived }) => !isWaived);
  const waived = findings.filter(({ isWaived }) => isWaived);
  const leftOut = results.clauses.filter((clause) => hasReason(clause, 'left out'));
  return {
    kind: 'Contract compliance',
    ...head,
    facts: factsOfRun(results),
    endsWithResult: true,
    sections: filled([
      ...annotatedOnly(results, head.sentence),
      ...urgentSections(results),
      findingsSection('Findings', counting),
      { ...findingsSection('Waived findings', waived), on: ['page'] },
      suiteErrors(results),
      ...waiverSections(review),
      ...undecidedSections(results),
      { title: 'Left out', count: leftOut.length, intro: [idsOf(leftOut)] },
      ...openPoints(results),
      ...sinceLastRun(results, history),
      ...runAgain(results, counting),
    ]),
  };
}

const verdicts = {
  conformant: { word: 'Conformant', tone: 'good' },
  violations: { word: 'Violations', tone: 'bad' },
  error: { word: 'Error of the suite', tone: 'failure' },
  incomplete: { word: 'Incomplete', tone: 'undecided' },
  'not run': { word: 'Not run', tone: 'bad' },
} as const satisfies Record<RunVerdict, object>;

/** The verdict of a run in words, as the head of its report. */
export function headline(results: Results, review: WaiverReview = noWaivers) {
  const verdict = verdictUnder(review, results);
  const isWaived = review.waivedClauses.size > 0;
  const failed = results.leftChanged.filter(({ outcome }) => outcome === 'failed').length;
  const isOnTarget = verdict !== 'not run' && verdict !== 'error';
  // Stale waivers that fail a run give it its word: Conformant and Incomplete have exit codes of their own.
  const isGood = verdict === 'conformant' || verdict === 'incomplete';
  const { word, tone } =
    isGood && waiversFail(review)
      ? ({ word: 'Stale waivers', tone: 'bad' } as const)
      : verdict === 'conformant' && failed > 0
        ? ({ word: 'Tasks left changed', tone: 'undecided' } as const)
        : verdicts[verdict];
  return {
    title: present(
      word,
      verdict === 'conformant' && isWaived && 'with waivers',
      results.interruptedBy !== null && `interrupted by ${results.interruptedBy}`,
    ).join(', '),
    of:
      results.target.kind === 'embedded' && isOnTarget ? ', of the embedded reference service' : '',
    tone,
    sentence: present(
      sentence(verdict, results, review),
      verdict === 'conformant' &&
        isWaived &&
        `Waived: ${counted(review.waivedClauses.size, 'violated clause')}.`,
      failed > 0 && `${counted(failed, 'task')} could NOT be put back.`,
      waiversFail(review) &&
        `The run fails because of ${counted(review.stale.length, 'stale waiver')}.`,
    ).join(' '),
  };
}

/** Why the verdict is what it is: “1 finding; of 90 clauses 87 upheld, 2 violated, 1 not judged.” */
function sentence(verdict: RunVerdict, results: Results, review: WaiverReview): string {
  const { waivedClauses, covered } = review;
  if (verdict === 'not run') return `Nothing could be judged. ${mainReason(results)}`;
  const tally = tallyOf(results, waivedClauses);
  const { all, leftOut, notSelected } = tally;
  const isWaived = waivedClauses.size > 0;
  const chosen = notSelected > 0 ? 'chosen clause' : 'clause';
  const noViolation = `No violation${isWaived ? ' that is not waived' : ''}`;
  const yet = results.interruptedBy === null ? '' : ' so far';
  // Nobody shall look in the target for a failure of the suite.
  const failed = 'the suite itself failed, which says nothing about the target';
  const findings = findingsOf(results, (one) => !covered.has(one));
  const said: Readonly<Record<Exclude<RunVerdict, 'not run'>, string>> = {
    conformant: `${all === 1 ? `The ${chosen} is` : `All ${counted(all, chosen)} are`} upheld${isWaived ? ' or waived' : ''}`,
    violations: `${counted(findings.length, 'finding')}${tally.verdicts.error > 0 ? `, and ${failed}` : ''}`,
    error: `${noViolation}, but ${failed}`,
    incomplete: `${noViolation}${yet}, but not every clause was decided${lackingText(results)}`,
  };
  const parts = present(
    said[verdict],
    verdict !== 'conformant' && `of ${counted(all, chosen)} ${countsText(tally)}`,
    leftOut > 0 && `${leftOut} left out`,
  );
  return `${parts.join('; ')}.`;
}

/** How many clauses have which verdict: “80 upheld, 1 upheld in part, 2 violated (1 stated, 1 implied)”. */
function countsText(tally: ReturnType<typeof tallyOf>): string {
  const { verdicts: counts, inPart, stated, implied, waived } = tally;
  const levels = present(stated > 0 && `${stated} stated`, implied > 0 && `${implied} implied`);
  const parts = Object.entries(counts).flatMap(([verdict, count]) => {
    const ofLevels = verdict === 'violated' && implied > 0 ? ` (${levels.join(', ')})` : '';
    return present(
      count > 0 && `${count} ${verdict}${ofLevels}`,
      verdict === 'upheld' && inPart > 0 && `${inPart} upheld in part`,
    );
  });
  return present(...parts, waived > 0 && `${waived} violated and waived`).join(', ');
}

/** ", for want of USER_IDS and TEAM_IDS"; empty where nothing is missing in the configuration. */
function lackingText(results: Results): string {
  const lacking = byLacks(undecidedClauses(results)).flatMap(({ lacks }) => lacks);
  const variables = [...new Set(lacking.map(({ variable }) => variable))];
  return variables.length === 0 ? '' : `, for want of ${variables.join(', ')}`;
}

/** The reason why most clauses were not decided; where every judged one was, the reason for most open points. */
function mainReason(results: Results): string {
  const judged = undecidedClauses(results);
  const groups = byLacks(judged.length > 0 ? judged : results.clauses.filter(isUndecided));
  const [most] = groups.sort((a, b) => b.clauses.length - a.clauses.length);
  return most === undefined ? 'No clause was selected.' : reasonsText(most.reasons);
}

/** A finding in words, as every format shows it. */
export type ToldFinding = ReturnType<typeof toldFindings>[number];

/** The findings of a run in words: those that count, then those that waivers cover. */
export function toldFindings(run: ToldRun) {
  const { results, review, exchanges, files, history } = run;
  return findingsUnder(results, review).map(({ finding, isWaived }, index) => {
    const { violations } = finding;
    const [violation] = violations;
    const on = exchangesOf(violation);
    const file = requestsFile(index + 1);
    const path = files.find((one) => one.replaceAll('\\', '/').endsWith(`/${file}`));
    const requests = requestsOf(finding, results, exchanges);
    return {
      ...finding,
      ...textsOf(violation),
      number: index + 1,
      headline: headlineOf(finding),
      also: otherWays(finding),
      isIntermittent: violations.every(({ intermittent }) => intermittent),
      /** How it recurs; undefined where no earlier run is known. */
      since:
        history.length === 0 ? undefined : recurrenceText(recurrenceOf(finding, results, history)),
      isWaived,
      /** The numbers of the exchanges that show it, the one to blame first. */
      on,
      /** Those of them that were recorded. */
      exchanges: on.flatMap((each) => exchanges.find((one) => one.number === each) ?? []),
      scenarios: [...new Set(violations.map(({ scenario }) => scenario))],
      /** `path`: of the written file; undefined where it was not written, or is not known. */
      requests: requests && { ...requests, file, path },
    };
  });
}

function factsOfRun(results: Results): Report['facts'] {
  const { target, startedAt, durationMs, seed, suite, requests, pairs } = results;
  const { open } = tallyOf(results);
  const observed =
    open.all === 0
      ? 'no open points were looked at'
      : `${open.observed} of ${counted(open.all, 'open point')} observed`;
  const run = [instant(startedAt), duration(durationMs), `seed ${seed}`, `suite ${suite}`];
  const isRun = results.verdict !== 'not run';
  const together =
    pairs &&
    `${numeral(pairs.covered)} of ${numeral(pairs.possible)} pairs of parameters asked for together`;
  return present<Report['facts'][number]>(
    ['Target', targetLine(target)],
    ['Run', [run.join(', ')]],
    ['Requests', [`${numeral(requests.total)}${repeatsText(requests)}`]],
    isRun && ['Open', [observed]],
    isRun && together !== undefined && ['Exports', [together]],
  );
}

/** Sections for annotations alone: what the head of any other format says, and annotations have no head. */
function annotatedOnly({ verdict, target }: Results, sentence: string): Section[] {
  const only = (annotated: 'error' | 'warning', title: string, text: string): Section => ({
    title,
    intro: [text],
    on: ['annotations'],
    annotated,
  });
  return present(
    verdict === 'not run' && only('error', 'Contract not run', sentence),
    target.kind === 'embedded' &&
      only(
        'warning',
        'The embedded reference service was checked',
        'The run says nothing about any region. Give BASE_URL to check one; with --require-target a run without it ends with 2.',
      ),
  );
}

function urgentSections(results: Results): Section[] {
  const { unusable, clauses, leftChanged } = results;
  const wrong = unusableLines(unusable, clauses);
  const left = leftChanged.map((task) => `${task.taskId}: ${putBackText(task)}`);
  const itemsOf = (texts: readonly string[]) => texts.map((text) => [[prose(text)]]);
  const todo = howToRestore(results);
  return present(
    listSection('Wrong in the configuration', itemsOf(wrong), { isLast: true }),
    listSection('Tasks that are not as they were before', itemsOf(left), { isLast: true }),
    todo && {
      title: 'Tasks to put back',
      intro: [[...leftChangedTexts(leftChanged), todo.sentence].join(' ')],
      block: codeOf('Put back', todo.command),
      isLast: true,
      annotated: 'error',
    },
  );
}

/** Sentences that may hold what a target sent. */
function prose(value: string) {
  return { value, isProse: true };
}

function codeOf(caption: string, text: string) {
  return { kind: 'code' as const, items: [{ caption: [caption], text, isCommand: true }] };
}

function findingsSection(title: string, items: readonly ToldFinding[]): Section {
  return { title, count: items.length, block: { kind: 'findings', items }, annotated: 'error' };
}

/** Failures of the suite itself with their stacks, for somebody who fixes it. */
function suiteErrors(results: Results): Section {
  const failed = results.clauses.filter(({ verdict }) => verdict === 'error');
  return {
    title: 'Errors of the suite',
    count: failed.length,
    intro: ['The suite itself failed; this says nothing about the target.'],
    block: {
      kind: 'code',
      items: byReasons(failed).map(({ reasons, clauses }) => ({
        caption: [idsOf(clauses)],
        text: stacksOf(reasons).join('\n\n'),
        isCommand: false,
      })),
    },
    tone: 'failure',
    annotated: 'error',
  };
}

const waiverStates = [
  ['expired', 'Expired waivers'],
  ['waived', 'Waived clauses'],
  ['stale', 'Stale waivers: their clauses are upheld'],
  ['undecided', 'Waivers of clauses that this run did not decide'],
] as const;

function waiverSections(review: WaiverReview): Section[] {
  return waiverStates.map(([state, title]) => {
    const items = review[state].map(({ clause, reason, owner, issue, expires }) => [
      [{ clauses: [clause] }, `: ${reason} (${owner}, until ${expires}, `, { link: issue }, ')'],
    ]);
    const fails = state === 'stale' && waiversFail(review);
    return listSection(title, items, { ...(fails && { annotated: 'error' }) });
  });
}

/** Undecided clauses: inconclusive ones by reason, those not judged in full by the variables that are missing. */
function undecidedSections(results: Results): Section[] {
  const undecided = undecidedClauses(results);
  const having = (verdict: ToldVerdict): ClauseResult[] =>
    undecided.filter((clause) => toldVerdict(clause) === verdict);
  const [inconclusive, notJudged] = [having('inconclusive'), having('not judged')];
  const inPart = having('upheld in part');
  const groups = byLacks(undecided);
  // Where a run judged nothing, for one reason alone, its verdict says so already.
  const isTold = results.verdict === 'not run' && groups.length === 1;
  const advice = `Set the variables. What the target does not have (an assessment in some state, so many events) can be left out (EXCEPT, --except) or allowed (--allow not-judged). \`${invocation} doctor\` says more.`;
  // No variable is to be set after an interrupt, or where only configured values cannot be used.
  const isAdvised =
    results.interruptedBy === null &&
    groups.some(({ lacks }) => lacks.some(({ unusable }) => unusable === undefined));
  const intro = { ...(isAdvised && { intro: [advice] }) };
  const isThrottled = results.requests.failed.some(
    ({ cause, count, repeated }) => cause === 429 && count > repeated,
  );
  const pacing =
    'Requests were answered 429 to the end. Set MAX_REQUESTS_PER_SECOND to what the target allows, and RUN_TIMEOUT_MS to the time that the run then takes.';
  return [
    listSection('Inconclusive', byReasons(inconclusive).map(reasonItem), {
      count: inconclusive.length,
      ...(isThrottled && { intro: [pacing] }),
      tone: 'undecided',
      annotated: 'warning',
    }),
    listSection('Not judged', lackLines(notJudged), {
      count: notJudged.length,
      ...intro,
      isAppendix: isTold,
      annotated: 'notice',
    }),
    listSection('Upheld in part; not judged in the rest', lackLines(inPart), {
      count: inPart.length,
      ...(notJudged.length === 0 && intro),
      annotated: 'notice',
    }),
  ];
}

function reasonItem({ reasons, clauses }: ReasonGroup) {
  return [[prose(reasonsText(reasons))], [idsOf(clauses)]];
}

/** An item for each set of missing variables, with the clauses that it costs; then one for each other reason. */
function lackLines(clauses: readonly ClauseResult[]) {
  return byLacks(clauses).map(({ lacks, reasons, clauses: members }) => {
    const why = lacks.flatMap(({ variable, what, unusable }) =>
      present(what, unusable && unusableText(variable, unusable)),
    );
    const names = lacks.map(({ variable }) => variable).join(' + ');
    const line =
      lacks.length > 0 ? [`${names}: `, prose(why.join('; '))] : [prose(reasonsText(reasons))];
    return members.some((one) => toldVerdict(one) === 'upheld in part')
      ? [line, [idsOf(members)]]
      : [[...line, ' → ', idsOf(members, true)]];
  });
}

function openPoints({ clauses }: Results): Section[] {
  const unseen = clauses.filter((clause) => clause.level === 'open' && isUndecided(clause));
  const observed = clauses.filter(({ verdict }) => verdict === 'observed');
  const facts = observed.map((clause) => [
    [
      idsOf([clause]),
      ...factsOf(clause).flatMap((value, index) => [index === 0 ? ': ' : ' | ', { value }]),
    ],
  ]);
  return [
    listSection('Open points that were not observed', byReasons(unseen).map(reasonItem), {
      count: unseen.length,
      isAppendix: true,
    }),
    listSection('Observed on open points', facts, {
      isAppendix: true,
      // The page shows observations beside their clauses.
      on: ['terminal', 'markdown'],
    }),
  ];
}

function runAgain(results: Results, findings: readonly ToldFinding[]): Section[] {
  const ids = new Set(findings.flatMap(({ clauses }) => clauses.map(({ id }) => id)));
  if (ids.size === 0) return [];
  const command = commandFor([...ids].slice(0, maxAgain), results);
  const block = codeOf('Run again', command);
  return [{ title: 'To run what was found again', block, on: ['terminal', 'markdown'] }];
}
