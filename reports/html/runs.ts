import type { Results, RunVerdict } from '../../schemas/results.ts';
import { headlineOf } from '../headlines.ts';
import { recurrences, recurrenceText } from '../recurrence.ts';
import type { ToldRun } from '../run-report.ts';
import { instant } from '../wording.ts';
import { html, type Markup } from './markup.ts';
import { mark, type ShownVerdict } from './verdicts.ts';

/** The most runs that a row of marks has, this run among them. */
const maxRuns = 10;

/** A row of marks: what recent runs say of one thing, the oldest first. @param of what a run says; undefined: nothing */
export function recentRuns(
  { results, history }: ToldRun,
  of: (run: Results, index: number) => ShownVerdict | undefined,
): Markup {
  const all = [...history, results];
  const from = Math.max(0, all.length - maxRuns);
  const told = all.slice(from).flatMap((run, index) => {
    const verdict = of(run, from + index);
    return verdict === undefined ? [] : [{ verdict, date: instant(run.startedAt) }];
  });
  const words = told.map(({ verdict }) => verdict).join(', ');
  const title = told.map(({ verdict, date }) => `${date}: ${verdict}`).join('\n');
  return html`<span class="recent" title="${title}"><span class="unseen">Recent runs, the oldest first: ${words}.</span>${told.map(({ verdict }) => mark(verdict))}</span>`;
}

const marksOfRuns: Readonly<Record<RunVerdict, ShownVerdict>> = {
  conformant: 'upheld',
  violations: 'violated',
  incomplete: 'inconclusive',
  error: 'error',
  'not run': 'not judged',
};

/** What comes and goes over the last runs: their verdicts, and each finding of any of them with what became of it. */
export function runsSection(runs: ToldRun): Markup | undefined {
  const { results, history } = runs;
  if (history.length === 0) return undefined;
  const columns = ['Finding', 'Runs, the oldest first', 'Now'];
  const row = (head: string, marks: Markup, now: string): Markup =>
    html`<tr><th scope="row">${head}</th><td data-column="${columns[1]}">${marks}</td><td data-column="${columns[2]}">${now}</td></tr>\n`;
  const rows = recurrences(results, history).map((one) =>
    row(
      headlineOf(one.finding),
      recentRuns(runs, (_, index) => one.seen[index]),
      recurrenceText(one),
    ),
  );
  return html`<section aria-labelledby="runs-title">
<h2 id="runs-title">Over the last runs</h2>
<div class="scroll" role="region" aria-labelledby="runs-title" tabindex="0"><table class="report">
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${row(
    'The run as a whole',
    recentRuns(runs, ({ verdict }) => marksOfRuns[verdict]),
    results.verdict,
  )}${rows}</tbody>
</table></div>
</section>
`;
}
