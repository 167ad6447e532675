import type { Results, ViolationResult } from '../schemas/results.ts';
import type { Line, Section } from './blocks.ts';
import { compareResults, isAmong, looksAgain } from './compare.ts';
import { type Finding, findingsOf, headlineOf } from './findings.ts';
import { isSelected } from './grouping.ts';
import { counted, instant, numeral, present } from './wording.ts';

// Findings over several runs of one target: which are new, which are still there, which are gone, which come and go.

/** What a run says of a finding: it shows it, it has looked for it in vain, or it has not judged it. */
type Seen = 'violated' | 'upheld' | 'not judged';

/** What became of a finding. `back`: an earlier run shows it, and the one before this one does not. */
type Became = 'new' | 'back' | 'still there' | 'gone' | 'not judged';

/** A finding over several runs. */
export interface Recurrence {
  readonly finding: Finding;
  readonly became: Became;
  /** What each run says of it, the oldest first, this run last. */
  readonly seen: readonly Seen[];
}

/** How a finding of a run, or of one before it, recurs. @param history earlier runs, the oldest first */
export function recurrenceOf(
  finding: Finding,
  results: Results,
  history: readonly Results[],
): Recurrence {
  const before = history.map((run) => seenIn(run, finding));
  const now = seenIn(results, finding);
  return { finding, seen: [...before, now], became: becameOf(now, before) };
}

function becameOf(now: Seen, before: readonly Seen[]): Became {
  if (now !== 'violated') return now === 'upheld' ? 'gone' : 'not judged';
  if (before.findLast((one) => one !== 'not judged') === 'violated') return 'still there';
  return before.includes('violated') ? 'back' : 'new';
}

function seenIn({ violations, clauses }: Results, finding: Finding): Seen {
  if (finding.violations.some((one) => isAmong(one, violations))) return 'violated';
  const isLookedFor = ({ clause, scenario }: ViolationResult): boolean =>
    looksAgain(
      clauses.find(({ id }) => id === clause),
      scenario,
    );
  return finding.violations.every(isLookedFor) ? 'upheld' : 'not judged';
}

/** The findings of all runs, those of this run first, each once. @param history earlier runs, the oldest first */
export function recurrences(results: Results, history: readonly Results[]): Recurrence[] {
  const selected = new Set(results.clauses.filter(isSelected).map(({ id }) => id));
  let known: ViolationResult[] = [];
  return [...history, results].toReversed().flatMap((run) =>
    findingsOf(run).flatMap((finding) => {
      const { violations, clauses } = finding;
      if (!clauses.some(({ id }) => selected.has(id))) return [];
      if (run !== results && violations.some((one) => isAmong(one, known))) return [];
      known = [...known, ...violations];
      return [recurrenceOf(finding, results, history)];
    }),
  );
}

/** “new”, “still there, 4 runs in a row”, “comes and goes: in 3 of 8 runs”, “gone”. */
export function recurrenceText({ finding, became, seen }: Recurrence): string {
  const judged = seen.filter((one) => one !== 'not judged');
  const turns = judged.filter((one, index) => index > 0 && one !== judged[index - 1]).length;
  const shown = judged.filter((one) => one === 'violated').length;
  const last = judged.lastIndexOf('upheld');
  // Absent at first, then there; or there at first, then gone: that is one turn.
  if (turns > 1) {
    return `${became === 'gone' ? 'not seen now, ' : ''}comes and goes: in ${shown} of ${counted(judged.length, 'run')}`;
  }
  if (became === 'still there') return `still there, ${judged.length - 1 - last} runs in a row`;
  const isSteady = finding.violations.some(({ intermittent }) => !intermittent);
  return became === 'gone' && !isSteady ? 'not seen, and was intermittent' : became;
}

/** What changed since the run before, for a last screen: how many findings came, stayed and went, and which went. */
export function sinceLastRun(results: Results, history: readonly Results[]): Section[] {
  const before = history.at(-1);
  if (before === undefined || results.verdict === 'not run') return [];
  const all = recurrences(results, history);
  const having = (kind: Became): Recurrence[] => all.filter(({ became }) => became === kind);
  const ofLast = ({ seen }: Recurrence): boolean => seen.at(-2) === 'violated';
  const [gone, unjudged] = [having('gone').filter(ofLast), having('not judged').filter(ofLast)];
  const { verdicts, observations } = compareResults(before, results);
  const others = verdicts.filter((one) => one.before !== 'violated' && one.after !== 'violated');
  const count = (items: readonly unknown[], words: string) =>
    items.length > 0 && `${numeral(items.length)} ${words}`;
  const became = present(
    count(having('new'), 'new'),
    count(having('back'), 'back'),
    count(having('still there'), 'still there'),
    count(gone, 'gone (judged again, and not seen)'),
    count(unjudged, 'not judged now'),
  );
  const parts = present(
    became.length > 0 && `findings: ${became.join(', ')}`,
    others.length > 0 && `another verdict on ${counted(others.length, 'clause')}`,
    observations.length > 0 && `${counted(observations.length, 'open point')} observed otherwise`,
  );
  const items = [...gone, ...unjudged].map((one): Line[] => [
    [`${recurrenceText(one)}: `, { value: headlineOf(one.finding) }],
  ]);
  const { target, startedAt } = before;
  // The port of a service on this machine is another one each time.
  const isElsewhere = target.kind === 'remote' && addressOf(target) !== addressOf(results.target);
  return [
    {
      title: `Since the run of ${instant(startedAt)}`,
      intro: [
        ...(isElsewhere ? ['which was of ', { value: target.baseUrl }, ': '] : []),
        parts.length === 0 ? 'nothing changed' : parts.join('; '),
      ],
      ...(items.length > 0 && { block: { kind: 'list', items } }),
      isLast: true,
      on: ['terminal', 'markdown'],
    },
  ];
}

/** An address without its scheme and port: what stands for a service that listens on another port each time. */
function addressOf({ baseUrl }: Results['target']): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/:\d+(?=\/|$)/, '');
}

/** What the runs of a target are known by: the name of its file of variables, or its address without the port. */
export function nameOfTarget(target: Results['target']): string {
  if (target.kind === 'embedded') return target.kind;
  return (target.envFile?.split(/[\\/]/).at(-1) ?? addressOf(target)).replaceAll(/[^\w.-]+/g, '-');
}
