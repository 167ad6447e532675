import type { Exchange } from '../../helpers/http/exchange.ts';
import { type Operation, operations } from '../../schemas/operations.ts';
import { duration } from '../wording.ts';
import { html, type Markup } from './markup.ts';

const width = 720;
const rowHeight = 44;
const axisHeight = 22;
const bins = 72;

interface Distribution {
  readonly operation: Operation;
  /** Milliseconds, ascending. */
  readonly times: readonly number[];
}

/** How long responses took, by operation: the distribution on a logarithmic scale, and its figures as a table. */
export function responseTimesSection(exchanges: readonly Exchange[]): Markup | undefined {
  const distributions = operations
    .map((operation) => ({ operation, times: timesOf(operation, exchanges) }))
    .filter(({ times }) => times.length > 0);
  if (distributions.length === 0) return undefined;
  return html`<section aria-labelledby="times-title">
<h2 id="times-title">Response times</h2>
<p>From sending a request to the end of its response; requests without a response are left out. Each bar counts the responses that took about that long, on a logarithmic scale; the line is the median.</p>
<div class="scroll" role="region" aria-label="Chart of response times" tabindex="0">${chart(distributions)}</div>
<div class="scroll" role="region" aria-label="Table of response times" tabindex="0"><table class="times">
<thead><tr><th scope="col">Operation</th><th scope="col">Responses</th><th scope="col">Fastest</th><th scope="col">Median</th><th scope="col">90 % within</th><th scope="col">99 % within</th><th scope="col">Slowest</th></tr></thead>
<tbody>${distributions.map(
    ({ operation, times }) =>
      html`<tr><th scope="row">${operation}</th><td>${times.length}</td>${[0, 0.5, 0.9, 0.99, 1].map((share) => html`<td>${duration(quantile(times, share))}</td>`)}</tr>\n`,
  )}</tbody>
</table></div>
</section>`;
}

function timesOf(operation: Operation, exchanges: readonly Exchange[]): number[] {
  return exchanges
    .filter((exchange) => exchange.operation === operation && exchange.response !== undefined)
    .map(({ durationMs }) => durationMs)
    .sort((a, b) => a - b);
}

/** The time within which this share of the responses came. */
function quantile(times: readonly number[], share: number): number {
  return times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
}

function chart(distributions: readonly Distribution[]): Markup {
  const all = distributions.flatMap(({ times }) => times);
  const low = Math.log10(Math.max(0.1, Math.min(...all))) - 0.02;
  const high = Math.max(Math.log10(Math.max(0.1, ...all)), low + 0.5) + 0.02;
  const place = (ms: number): number => {
    const share = (Math.log10(Math.max(0.1, ms)) - low) / (high - low);
    return Math.round(share * width * 10) / 10;
  };
  const height = distributions.length * rowHeight + axisHeight;
  const ticks = [-1, 0, 1, 2, 3, 4, 5]
    .flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power))
    .filter((ms) => place(ms) >= 0 && place(ms) <= width);
  return html`<svg class="chart" viewBox="-24 0 ${width + 56} ${height}" role="img" aria-label="Distribution of response times by operation; the table below has the figures.">
${ticks.map((ms) => html`<line class="grid" x1="${place(ms)}" x2="${place(ms)}" y1="0" y2="${height - axisHeight}"/><text class="tick" x="${place(ms)}" y="${height - 6}" text-anchor="middle">${duration(ms)}</text>\n`)}
${distributions.map((distribution, index) => row(distribution, index * rowHeight, place))}</svg>`;
}

function row(
  { operation, times }: Distribution,
  top: number,
  place: (ms: number) => number,
): Markup {
  const counts = new Map<number, number>();
  for (const ms of times) {
    const bin = Math.min(bins - 1, Math.floor((place(ms) / width) * bins));
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const room = rowHeight - 18;
  const bottom = top + rowHeight - 2;
  const bars = [...counts].map(([bin, count]) => {
    const height = Math.max(2, Math.round((count / most) * room));
    const x = Math.round((bin * width * 10) / bins) / 10;
    return html`<rect x="${x}" y="${bottom - height}" width="${width / bins - 1}" height="${height}"/>`;
  });
  const median = place(quantile(times, 0.5));
  return html`<g class="${operation}"><text x="0" y="${top + 12}">${operation}</text>${bars}<line class="median" x1="${median}" x2="${median}" y1="${top + 14}" y2="${bottom}"/><line class="base" x1="0" x2="${width}" y1="${bottom}" y2="${bottom}"/></g>
`;
}
