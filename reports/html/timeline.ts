import type { Exchange } from '../../helpers/http/exchange.ts';
import { operations } from '../../schemas/operations.ts';
import type { Results } from '../../schemas/results.ts';
import { counted, duration } from '../wording.ts';
import { type Citation, citations } from './evidence.ts';
import { html, type Markup } from './markup.ts';

const width = 720;
const laneHeight = 9;
const axisHeight = 20;

interface Placed {
  readonly exchange: Exchange;
  readonly lane: number;
}

/** When each request was under way, one bar each; what was under way at once lies in lanes. */
export function timelineSection(
  results: Results,
  exchanges: readonly Exchange[],
): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const placed = inLanes(exchanges);
  const lanes = Math.max(...placed.map(({ lane }) => lane)) + 1;
  const end = Math.max(1, ...exchanges.map(({ startedAt, durationMs }) => startedAt + durationMs));
  const cited = citations(results);
  const isCompared = [...cited.values()].includes('compared');
  const isShown = [...cited.values()].includes('shows a violation');
  const used = operations.filter((name) => exchanges.some(({ operation }) => operation === name));
  return html`<section aria-labelledby="timeline-title">
<h2 id="timeline-title">Timeline of the run</h2>
<p>${counted(exchanges.length, 'request')} in ${duration(end)}, at most ${lanes} at once. ${used.map((name) => html`<span class="named"><span class="key ${name}"></span>${name}</span> `)}${isShown && html`<span class="named"><span class="key cited"></span>shows a violation</span> `}${isCompared && html`<span class="named"><span class="key compared"></span>compared</span>`}</p>
<div class="scroll" role="region" aria-label="Chart of the timeline" tabindex="0">${chart(placed, lanes, end, cited)}</div>
</section>`;
}

function chart(
  placed: readonly Placed[],
  lanes: number,
  end: number,
  cited: ReadonlyMap<number, Citation>,
): Markup {
  const height = lanes * laneHeight + axisHeight;
  const place = (ms: number): number => Math.round((ms / end) * width * 100) / 100;
  const bars = placed.map(({ exchange, lane }) => {
    const { number, operation, scenario, startedAt, durationMs, response } = exchange;
    const citation = cited.get(number);
    const mark = citation === 'compared' ? citation : citation && 'cited';
    const classes = [operation, mark, response === undefined && 'failed'];
    return html`<rect class="${classes.filter(Boolean).join(' ')}" data-number="${number}" x="${place(startedAt)}" y="${lane * laneHeight}" width="${Math.max(1.5, place(durationMs))}" height="${laneHeight - 2}"><title>#${number} ${scenario}: ${duration(durationMs)}</title></rect>\n`;
  });
  return html`<svg class="chart timeline" viewBox="-24 0 ${width + 56} ${height}" role="img" aria-label="The requests of the run over its time; the list of scenarios has the same in words.">
${ticks(end).map((ms) => html`<line class="grid" x1="${place(ms)}" x2="${place(ms)}" y1="0" y2="${height - axisHeight + 3}"/><text class="tick" x="${place(ms)}" y="${height - 4}" text-anchor="middle">${duration(ms)}</text>\n`)}
${bars}</svg>`;
}

/** Some six round moments between the start and the end, in milliseconds. */
function ticks(end: number): number[] {
  const rough = end / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}

/** Puts each exchange into the first lane that is free when it starts. */
function inLanes(exchanges: readonly Exchange[]): Placed[] {
  const freeFrom: number[] = [];
  return [...exchanges]
    .sort((a, b) => a.startedAt - b.startedAt || a.number - b.number)
    .map((exchange) => {
      const free = freeFrom.findIndex((moment) => moment <= exchange.startedAt);
      const lane = free === -1 ? freeFrom.length : free;
      freeFrom[lane] = exchange.startedAt + exchange.durationMs;
      return { exchange, lane };
    });
}
