import { isUpheldInPart, type Results } from '../schemas/results.ts';
import { findingsOf } from './findings.ts';
import { byReasons, reasonsOfVerdict, undecidedClauses, violatedClauses } from './grouping.ts';
import { headlineOf } from './headlines.ts';
import { cut, printable } from './printable.ts';
import { noWaivers, type WaiverReview, waiversFail } from './waivers.ts';
import {
  andInMore,
  counted,
  headline,
  reasonsOfClause,
  reasonsText,
  violationText,
} from './wording.ts';
import { howToRestore, leftChangedTexts } from './writes.ts';

type Severity = 'error' | 'warning' | 'notice';

/** GitHub shows at most ten annotations of a kind for a step. */
const maxAnnotations = 10;

/**
 * Workflow commands for GitHub Actions: an error for tasks that could not be put back, for each finding and for each failure of the suite itself, a
 * warning where no target but the embedded service was judged, and for each reason why something is inconclusive, a notice for each reason why something was not judged. Empty
 * where there is nothing to say, otherwise ends with a line feed.
 */
export function renderAnnotations(results: Results, review: WaiverReview = noWaivers): string {
  const violated = violatedClauses(results, review.covered);
  const unstarted =
    results.verdict === 'not run'
      ? [command('error', 'Contract not run', headline(results).sentence)]
      : [];
  const errors = findingsOf(violated).map((finding) => {
    const { violation, violations, clauses } = finding;
    const scenarios = new Set(violations.map(({ scenario }) => scenario)).size;
    const message = [
      `${violationText(violation)}${andInMore(scenarios - 1)}`,
      ...clauses.map(({ id, text }) => `${id}: ${text}`),
    ].join('\n');
    return command('error', headlineOf(finding), message);
  });
  const todo = howToRestore(results);
  const { leftChanged = [] } = results;
  const changed =
    todo === undefined || leftChanged.length === 0
      ? []
      : [
          command(
            'error',
            'Tasks are not as they were before',
            [...leftChangedTexts(leftChanged), todo.sentence, todo.command].join('\n'),
          ),
        ];
  const stale = waiversFail(review)
    ? review.stale.map(({ clause }) =>
        command('error', `Stale waiver: ${clause}`, 'The clause is upheld: remove its waiver.'),
      )
    : [];
  const commands = [
    ...limited(
      [...changed, ...unstarted, ...errors, ...undecided(results, 'error'), ...stale],
      'error',
    ),
    ...limited([...ofEmbedded(results), ...undecided(results, 'inconclusive')], 'warning'),
    ...limited([...undecided(results, 'not judged'), ...inPart(results)], 'notice'),
  ];
  return commands.map((line) => `${line}\n`).join('');
}

function ofEmbedded({ target }: Results): string[] {
  if (target.kind !== 'embedded') return [];
  const message =
    'The run says nothing about any region. Give BASE_URL to check one; with --require-target a run without it ends with 2.';
  return [command('warning', 'The embedded reference service was checked', message)];
}

const undecidedAs = {
  error: { severity: 'error', title: 'Error of the suite' },
  inconclusive: { severity: 'warning', title: 'Inconclusive' },
  'not judged': { severity: 'notice', title: 'Not judged' },
} as const;

function undecided(results: Results, verdict: keyof typeof undecidedAs): string[] {
  const { severity, title } = undecidedAs[verdict];
  const groups =
    verdict === 'error'
      ? reasonsOfVerdict(results, verdict)
      : byReasons(undecidedClauses(results).filter((clause) => clause.verdict === verdict));
  return groups.map(({ reasons, clauses }) =>
    command(
      severity,
      `${title}: ${counted(clauses.length, 'clause')}`,
      `${reasonsText(reasons)}\n${clauses.map(({ id }) => id).join(', ')}`,
    ),
  );
}

function inPart(results: Results): string[] {
  return byReasons(undecidedClauses(results).filter(isUpheldInPart)).map(({ clauses }) =>
    command(
      'notice',
      `Upheld in part: ${counted(clauses.length, 'clause')}`,
      `${reasonsOfClause(clauses[0])}\n${clauses.map(({ id }) => id).join(', ')}`,
    ),
  );
}

function limited(commands: readonly string[], severity: Severity): string[] {
  if (commands.length <= maxAnnotations) return [...commands];
  const hidden = commands.length - maxAnnotations + 1;
  return [
    ...commands.slice(0, maxAnnotations - 1),
    command(severity, `and ${hidden} more`, 'The reports of the run have all of them.'),
  ];
}

function command(severity: Severity, title: string, message: string): string {
  return `::${severity} title=${property(title)}::${data(cut(message, 1000))}`;
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
