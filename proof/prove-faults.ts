import { expect, test } from 'vitest';
import type { Handle } from '../reference/reference.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { Results } from '../schemas/results.ts';
import { arraysOfCsvs, arraysOfPdfs, csvs, pdfs } from '../suites/exports/together.ts';
import { topics, topicsOfPdfs } from '../suites/exports/topics.ts';
import type { Fault } from './faults.ts';
import { type ProofOptions, runAgainst } from './in-process.ts';
import { exportsOfAllSequences, fewEvents, lookingAt, moreEvents, scenariosOf } from './parts.ts';
import { isWhole } from './sample.ts';
import type { Variant } from './variants.ts';

const plain = (handle: Handle): Handle => handle;

/** How many requests of one topic a part sends at most. */
const partSize = 30;

/** Scenarios of arrays by their names, each in parts, one or more a topic. */
const topicByTopic: ReadonlyMap<string, readonly AnyScenario[]> = new Map([
  [
    csvs,
    topics.flatMap((topic, at) => {
      const { max = 0, loose = 0 } = topic;
      const count = Math.max(1, Math.ceil((max + loose) / partSize));
      return Array.from({ length: count }, (_, part) =>
        arraysOfCsvs(
          `${csvs}: topic ${at + 1}, part ${part + 1}`,
          [topic],
          count === 1 ? undefined : (index) => Math.floor(index / partSize) === part,
        ),
      );
    }),
  ],
  [pdfs, topicsOfPdfs.map((topic, at) => arraysOfPdfs(`${pdfs}: topic ${at + 1}`, [topic]))],
]);

/** Each scenario by itself, those of arrays in their parts. */
export const inParts = (scenarios: readonly AnyScenario[]): readonly (readonly AnyScenario[])[] =>
  scenarios.map((one) => topicByTopic.get(one.name) ?? [one]);

/** The scenarios that found the last fault that breaks the same first clause: mostly they find the next one too. */
const foundLast = new Map<ClauseId | undefined, ReadonlySet<string>>();

/**
 * Plays the scenarios that look at these clauses, one after the other, until all are found violated. They may not be: some
 * faults show only among more events, or beside what other scenarios ask for.
 */
export async function playUntilFound(
  service: ProofOptions,
  breaks: readonly ClauseId[],
  scenarios: readonly AnyScenario[],
): Promise<Results & { readonly areAllFound: boolean }> {
  const likely = foundLast.get(breaks[0]);
  const isUnlikely = ({ name }: AnyScenario): number => (likely?.has(name) ? 0 : 1);
  // Arrays last: they send more requests than all others together.
  const parts = inParts(lookingAt(breaks, scenarios))
    .toSorted((one, other) => one.length - other.length)
    .flat()
    .toSorted((one, other) => isUnlikely(one) - isUnlikely(other));
  const results = await runAgainst({ ...service, until: breaks }, parts);
  const found = results.violations.filter(({ clause }) => breaks.some((id) => id === clause));
  foundLast.set(breaks[0], new Set(found.map(({ scenario }) => scenario)));
  const areAllFound = breaks.every((id) => found.some(({ clause }) => clause === id));
  return { ...results, areAllFound };
}

/** Plays it among few events, else among more, else beside what all scenarios ask for: of exports, with all own events. */
async function foundSoonest(
  service: ProofOptions,
  breaks: readonly ClauseId[],
  scenarios: readonly AnyScenario[],
): Promise<Results> {
  const numbers = service.pastEvents === undefined ? [fewEvents, moreEvents] : [{}];
  for (const number of isWhole ? [] : numbers) {
    const one = { ...number, ...service };
    const { areAllFound, ...results } = await playUntilFound(one, breaks, scenarios);
    if (areAllFound) return results;
  }
  const all = scenarios === scenariosOf.export ? exportsOfAllSequences : scenarios;
  return await runAgainst({ ...moreEvents, ...service }, all);
}

interface FaultOptions extends Pick<ProofOptions, 'pastEvents' | 'drawsPdfs'> {
  /** Another right service than the reference service, which the faults are to be found in. */
  readonly under?: Variant;
}

/**
 * One test a fault, called by its id and the clauses that it breaks, so that `-t` selects by either: each clause that it breaks is violated, no other one is but those that it may
 * break, and the suite itself does not fail over it.
 */
export function proveFaults(
  faults: readonly Fault[],
  scenarios: readonly AnyScenario[],
  { under, ...options }: FaultOptions = {},
): void {
  for (const { id, breaks, mayBreak = [], rules = {}, wire = plain } of faults) {
    test(`${id}: breaks ${breaks.join(', ')}`, async () => {
      const service = { rules: { ...under?.rules, ...rules }, wire, ...options };
      const { clauses, violations } = await foundSoonest(service, breaks, scenarios);

      const failures = clauses.filter(({ verdict }) => verdict === 'error');
      expect(failures, 'The suite itself fails over this service').toEqual([]);

      const violated = new Set(violations.map(({ clause }) => clause));
      const missed = clauses.filter(
        (clause) => breaks.some((one) => one === clause.id) && !violated.has(clause.id),
      );
      expect(missed, 'The fault breaks these clauses, and no scenario finds them violated').toEqual(
        [],
      );

      const expected = new Set<string>([...breaks, ...mayBreak]);
      const others = violations.filter(({ clause }) => !expected.has(clause));
      expect(
        others,
        'These clauses are violated too: the fault breaks them and must name them, or a judge blames them wrongly',
      ).toEqual([]);
    });
  }
}
