import { runReport, type ToldRun, toldFindings } from '../run-report.ts';
import { headline, instant } from '../wording.ts';
import { reportBody } from './blocks.ts';
import { clausesSection } from './clauses.ts';
import { clauseScript, document } from './document.ts';
import { type EvidenceLimits, evidenceOf, evidenceSection } from './evidence.ts';
import { html, type Markup } from './markup.ts';
import { runsSection } from './runs.ts';
import { badge, meaningOf, shownVerdicts } from './verdicts.ts';

/** The most bytes that a page may have. */
export const pageBytes = 2_000_000;

/** How much of the evidence a page may hold, the most first; the first that keeps the page small enough is taken. */
const limits: readonly EvidenceLimits[] = [
  { bodyLength: 8000, onlyCited: false },
  { bodyLength: 3000, onlyCited: false },
  { bodyLength: 1200, onlyCited: false },
  { bodyLength: 400, onlyCited: false },
  { bodyLength: 3000, onlyCited: true },
  { bodyLength: 400, onlyCited: true },
];

/** The compliance report: one file that loads nothing and stays under `pageBytes`. */
export function renderPage(run: ToldRun): string {
  const { results } = run;
  const head = headline(results, run.review);
  const title = `${head.title}${head.of}: contract compliance, ${instant(results.startedAt)}`;
  let page = '';
  for (const evidenceLimits of limits) {
    page = document(title, pageBody(run, evidenceLimits), clauseScript);
    if (Buffer.byteLength(page) < pageBytes) break;
  }
  return page;
}

/** The body of the page: the report, and what only a page can show. */
export function pageBody(run: ToldRun, evidenceLimits: EvidenceLimits): Markup {
  const { results, exchanges } = run;
  const evidence = evidenceOf(exchanges);
  const findings = toldFindings(run);
  const below = html`${runsSection(run)}${clausesSection({ ...run, evidence, findings })}
${evidenceSection(results, evidence, evidenceLimits)}
${glossary()}
`;
  return html`<a class="skip" href="#clauses">Skip to the clauses</a>
${reportBody(runReport(run), below)}`;
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
${shownVerdicts.map((verdict) => html`<div><dt>${badge(verdict)}</dt><dd>${meaningOf(verdict)}</dd></div>\n`)}
${Object.entries(meaningsOfLevels).map(([level, meaning]) => html`<div><dt>${level}</dt><dd>${meaning}</dd></div>\n`)}
</dl>
</section>`;
}
