import type { ClauseResult, Results } from '../../schemas/results.ts';
import { isChosen } from '../grouping.ts';
import { type RunParts, runReport } from '../run-report.ts';
import { noWaivers, type WaiverReview } from '../waivers.ts';
import { headline, instant } from '../wording.ts';
import { reportBody } from './blocks.ts';
import { clausesSection } from './clauses.ts';
import { clauseScript, document } from './document.ts';
import { type EvidenceLimits, evidenceOf, evidenceSection } from './evidence.ts';
import { html, type Markup } from './markup.ts';
import {
  badge,
  meanings,
  type ShownVerdict,
  shownVerdict,
  shownVerdicts,
  verdictClass,
} from './verdicts.ts';

export interface PageParts extends RunParts {
  readonly results: Results;
}

/** The most bytes that a page may have. */
export const pageBytes = 2_000_000;

/** What a page holds of the evidence, the fullest first; the first that fits is taken. */
const limits: readonly EvidenceLimits[] = [
  { bodyLength: 8000, onlyCited: false },
  { bodyLength: 3000, onlyCited: false },
  { bodyLength: 1200, onlyCited: false },
  { bodyLength: 400, onlyCited: false },
  { bodyLength: 3000, onlyCited: true },
  { bodyLength: 400, onlyCited: true },
];

/** The compliance report: one file that loads nothing and stays under `pageBytes`. */
export function renderPage(parts: PageParts): string {
  const { results, review = noWaivers } = parts;
  const { word, of } = headline(results, review);
  const title = `${word}${of}: contract compliance, ${instant(results.startedAt)}`;
  let page = '';
  for (const evidenceLimits of limits) {
    page = document(title, pageBody(parts, evidenceLimits), clauseScript);
    if (Buffer.byteLength(page) < pageBytes) break;
  }
  return page;
}

/** What stands between the tags of the body: the report, and what only a page can show. */
export function pageBody(parts: PageParts, evidenceLimits: EvidenceLimits): Markup {
  const { results, exchanges = [], history = [], review = noWaivers } = parts;
  const evidence = evidenceOf(exchanges);
  const report = runReport(results, { review, exchanges, history });
  const findings = report.sections.flatMap(({ block }) =>
    block.kind === 'findings' ? block.items : [],
  );
  const below = html`${clausesSection({ results, history, review, evidence, findings })}
${evidenceSection(results, evidence, evidenceLimits)}
${glossary()}
`;
  return html`<a class="skip" href="#clauses">Skip to the clauses</a>
${reportBody(report, { isLinked: true, beside: countTable(results.clauses, review), below })}`;
}

/** What is neither to be judged nor to be observed stands below the totals. */
const outside: readonly ShownVerdict[] = ['left out', 'untestable'];

/** The columns of the table: the clauses that are judged, by level and together, and the open points. */
const columns = [
  { title: 'stated', levels: ['stated'] },
  { title: 'implied', levels: ['implied'] },
  { title: 'clauses', levels: ['stated', 'implied'] },
  { title: 'open points', levels: ['open'] },
] as const satisfies readonly { title: string; levels: readonly ClauseResult['level'][] }[];

/** How many clauses, and how many open points, have which verdict; those that were not chosen are not counted. */
function countTable(all: readonly ClauseResult[], review: WaiverReview): Markup {
  const chosen = all.filter(isChosen);
  const having = (verdicts: readonly ShownVerdict[]): ClauseResult[] =>
    chosen.filter((clause) => verdicts.includes(shownVerdict(clause, review)));
  const counts = (clauses: readonly ClauseResult[]) =>
    columns.map(({ levels }) => ({
      count: clauses.filter(({ level }) => levels.some((one) => one === level)).length,
      query: levels.map((level) => `&level=${level}`).join(''),
    }));
  const rows = (verdicts: readonly ShownVerdict[]): Markup[] =>
    verdicts
      .filter((verdict) => having([verdict]).length > 0)
      .map(
        (verdict) =>
          html`<tr class="${verdictClass(verdict)}"><th scope="row">${badge(verdict)}</th>${counts(having([verdict])).map(({ count, query }) => html`<td>${count === 0 ? html`<span class="quiet">0</span>` : html`<a href="#clauses?verdict=${encodeURIComponent(verdict)}${query}">${count}</a>`}</td>`)}</tr>\n`,
      );
  const inside = shownVerdicts.filter((verdict) => !outside.includes(verdict));
  return html`<div><table class="counts">
<thead><tr><th scope="col"><span class="unseen">Verdict</span></th>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows(inside)}
<tr class="total"><th scope="row">total</th>${counts(having(inside)).map(({ count }) => html`<td>${count}</td>`)}</tr>
${rows(outside)}</tbody>
</table>
</div>
`;
}

const meaningsOfLevels = {
  stated: 'The document says so explicitly.',
  implied: 'The natural reading of what the document says.',
  open: 'The document says “not shown”, or is silent: never judged, only observed.',
};

/** The words of the page and their meanings. */
function glossary(): Markup {
  return html`<section aria-labelledby="words-title">
<h2 id="words-title">Glossary</h2>
<dl class="words">
${shownVerdicts.map((verdict) => html`<div><dt>${badge(verdict)}</dt><dd>${meanings[verdict]}</dd></div>\n`)}
${Object.entries(meaningsOfLevels).map(([level, meaning]) => html`<div><dt>${level}</dt><dd>${meaning}</dd></div>\n`)}
</dl>
</section>`;
}
