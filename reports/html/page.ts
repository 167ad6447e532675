import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results } from '../../schemas/results.ts';
import { type Comparison, changeSections, nothingChanged } from '../compare.ts';
import { noWaivers, type WaiverReview } from '../waivers.ts';
import { headline, instant } from '../wording.ts';
import { linkedSections } from './blocks.ts';
import { clausesSection } from './clauses.ts';
import { clauseScript, document } from './document.ts';
import { type EvidenceLimits, evidenceOf, evidenceSection } from './evidence.ts';
import { findingsSection } from './findings.ts';
import { html, type Markup } from './markup.ts';
import {
  glossary,
  leftChangedSection,
  pageHead,
  suiteErrorsSection,
  undecidedSection,
  unusableSection,
  waiversSection,
} from './overview.ts';
import { responseTimesSection } from './response-times.ts';
import { timelineSection } from './timeline.ts';

export interface PageParts {
  readonly results: Results;
  /** The exchanges of the run, redacted. */
  readonly exchanges: readonly Exchange[];
  /** Earlier runs, the oldest first. */
  readonly history?: readonly Results[];
  readonly review?: WaiverReview;
  /** What changed since the run before. */
  readonly comparison?: Comparison;
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

function changesSection(comparison: Comparison): Markup {
  return html`<section aria-labelledby="changes-title">
<h2 id="changes-title">What changed since ${instant(comparison.before.startedAt)}</h2>
${nothingChanged(comparison) && html`<p>Nothing: every verdict and every observation is as it was.</p>`}
${linkedSections(changeSections(comparison))}</section>`;
}

/** What stands between the tags of the body. */
export function pageBody(parts: PageParts, evidenceLimits: EvidenceLimits): Markup {
  const { results, exchanges, history = [], review = noWaivers, comparison } = parts;
  const evidence = evidenceOf(exchanges);
  const valueLength = Math.min(4000, Math.round(400_000 / (results.violations.length + 1)));
  return html`<a class="skip" href="#clauses">Skip to the clauses</a>
<main>
${pageHead(results, review)}
${unusableSection(results)}
${findingsSection(results, review, exchanges)}
${leftChangedSection(results)}
${suiteErrorsSection(results)}
${undecidedSection(results)}
${waiversSection(review)}
${comparison !== undefined && changesSection(comparison)}
${clausesSection({ results, history, review, evidence, valueLength })}
${responseTimesSection(exchanges)}
${timelineSection(results, exchanges)}
${evidenceSection(results, evidence, evidenceLimits)}
${glossary()}
</main>`;
}
