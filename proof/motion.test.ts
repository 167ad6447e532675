// A living region is never accused: nothing is found wrong with the reference service, whatever goes on in it beside the
// run; and its faults are found all the same.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NotJudged, Violation } from '../helpers/outcomes.ts';
import { auditeeColumn, type Column, metadataColumns } from '../reference/export/columns.ts';
import type { Rules } from '../reference/rules.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { ViolationResult } from '../schemas/results.ts';
import { sequences } from '../suites/sequences.ts';
import { allColumnsBut } from './exports.ts';
import { type Fault, faults } from './faults.ts';
import { runAgainst } from './in-process.ts';
import type { Life, Pace } from './life.ts';
import { allMotions, type Motion, motions } from './motions.ts';
import { byNumberOfEvents, isDrawnOtherwise, lookingAt, scenariosOf } from './parts.ts';
import { playUntilFound } from './prove-faults.ts';
import { isSample, isWhole, sampled } from './sample.ts';
import { exportInstantVariants } from './variants/export-instants.ts';
import { waysOfShowingEvents } from './variants/export-shown.ts';

/** Every change makes all files anew: few events are enough for all that is judged but the limit of a PDF. */
const pastEvents = 120;

/** Something happens all the time, or a few times in a run. */
const paces: readonly Pace[] = [
  { unit: 'requests', every: 6, lag: 3 },
  { unit: 'requests', every: 40, lag: 2 },
];
const lives = (isWhole ? [1, 2, 3] : [1]).flatMap((round) =>
  paces.map((pace, index) => ({ pace, seed: round * 10 + index })),
);

/** What shows in exports alone, and what shows elsewhere too. */
const ofExports = [...motions.events, ...motions.lags.filter(({ id }) => id.startsWith('exports'))];
const ofRecords = allMotions.filter((motion) => !ofExports.includes(motion));

interface Case {
  readonly title: string;
  readonly life: Life;
  readonly rules?: Partial<Rules>;
}

const living = (what: string, some: readonly Motion[], slower = 1): Case[] =>
  lives.map(({ pace, seed }) => {
    const every = pace.every * slower;
    return {
      title: `${what}, every ${every} requests, seed ${seed}`,
      life: { motions: some, pace: { ...pace, every }, seed },
    };
  });
const alone = (some: readonly Motion[]): Case[] =>
  sampled(some).flatMap((motion) => living(motion.id, [motion]));
/** Each of them more rarely: there are many. */
const together = (what: string, some: readonly Motion[]): Case[] => living(what, some, 4);

function accusesNobody(scenarios: readonly AnyScenario[], cases: readonly Case[]): void {
  test.for(cases)('$title', async ({ life, rules = {} }) => {
    const { violations, clauses } = await runAgainst({ pastEvents, life, rules }, scenarios);
    expect(violations.map(inOneLine)).toEqual([]);
    expect(clauses.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });
}

function inOneLine({ clause, scenario, difference }: ViolationResult): string {
  return [clause, scenario, JSON.stringify(difference)].join(' | ');
}

describe('nobody is accused by scenarios of tasks and assessments', () =>
  accusesNobody(scenariosOf.json, [
    ...alone(ofRecords),
    ...together('all of these', ofRecords),
    ...together('everything', allMotions),
  ]));

// What is sent between writes is tried again where the task has changed, which somebody else may have done each time.
describe('nobody is accused by sequences, whatever goes on', () => {
  const lively = [2, 4, 6, 8, 11].flatMap((seed) =>
    [8, 20].map(
      (every): Case => ({
        title: `everything, every ${every} requests, seed ${seed}`,
        life: { motions: allMotions, pace: { unit: 'requests', every, lag: 2 }, seed },
      }),
    ),
  );
  accusesNobody(sequences, sampled(lively));
});

/** Rows are the same in all languages: where they change, they become those of an export in another language, too. */
const inOneLanguage: Case = {
  title: 'everything, where no language changes a row',
  life: { motions: allMotions, pace: { unit: 'requests', every: 24, lag: 2 }, seed: 919 },
  rules: exportInstantVariants.find(({ id }) => id.endsWith('-shown-as-another-time'))?.rules ?? {},
};

/** An event is a sentence, which another tag changes within. */
const inSentences: Case = {
  title: 'tags change, and sentences show them',
  life: {
    motions: motions.events.filter(({ id }) => id === 'past-events-get-another-tag'),
    pace: { unit: 'requests', every: 6, lag: 3 },
    seed: 21061,
  },
  rules: waysOfShowingEvents['sentences-and-names'].rules ?? {},
};

describe('nobody is accused by scenarios of exports', () =>
  accusesNobody(scenariosOf.export, [
    ...alone(ofExports),
    ...together('what changes records', ofRecords),
    ...together('everything', allMotions),
    inOneLanguage,
    inSentences,
  ]));

// What changes there shows in no row: an event matches another value by now, and looks as it did.
describe('nobody is accused by scenarios of exports that do not show what changes', () => {
  const seeds = sampled(Array.from({ length: isWhole ? 12 : 6 }, (_, index) => index + 1));
  const hiding = (part: string, hidden: readonly Column[], motion: string): Case[] =>
    seeds.flatMap((seed) =>
      paces.map((pace) => ({
        title: `${part}, every ${pace.every} requests, seed ${seed}`,
        life: { motions: motions.events.filter(({ id }) => id === motion), pace, seed },
        rules: { csvColumns: () => allColumnsBut(...hidden) },
      })),
    );
  accusesNobody(scenariosOf.export, [
    ...hiding('persons', [auditeeColumn], 'people-are-pseudonymised-in-past-events'),
    ...hiding('metadata', metadataColumns, 'past-events-get-another-tag'),
  ]);
});

test('scenarios under which exports change share what is learned anew', async () => {
  const imported = motions.events.filter(({ id }) => id === 'events-are-imported-into-past-days');
  const life: Life = { motions: imported, seed: 1, pace: { unit: 'requests', every: 1, lag: 1 } };
  /** Takes for broken in its first run what it sees in the second look, and cannot tell by what stood still. */
  const mistaken = (name: string): AnyScenario => {
    let runs = 0;
    return scenario({
      name,
      async act({ exports }) {
        runs += 1;
        return await exports.knowledge();
      },
      judges: {
        'export.is-repeatable': (knowledge) => {
          if (knowledge.original !== knowledge) throw new NotJudged('Too little stood still.');
          if (runs > 1) return;
          throw new Violation('is no PDF that opens', [knowledge.base.download.answer]);
        },
      },
    });
  };
  const requests = async (...names: readonly string[]): Promise<number> => {
    const { requests, clauses } = await runAgainst({ pastEvents, life }, names.map(mistaken));
    const judged = clauses.find(({ id }) => id === 'export.is-repeatable');
    expect(judged?.verdict).toBe('upheld');
    return requests.total;
  };
  const ofOne = await requests('one');
  expect(await requests('one', 'two', 'three', 'four')).toBeLessThan(1.5 * ofOne);
});

describe('nobody is accused by scenarios of email', () =>
  accusesNobody(scenariosOf.email, [
    ...together('what changes records', ofRecords),
    ...together('everything', allMotions),
  ]));

describe.skipIf(isSample)('faults are found while everything is going on', () => {
  const life: Life = {
    motions: allMotions,
    seed: 4,
    pace: { unit: 'requests', every: 60, lag: 2 },
  };

  /** Quiet ones: what breaks many clauses at once, anybody would notice. */
  const sample = (all: readonly Fault[]): readonly Fault[] => {
    const quiet = byNumberOfEvents(all).few.filter(({ breaks }) => breaks.length <= 2);
    return isWhole ? quiet : quiet.toSorted(byHash).slice(0, 20);
  };

  /** In an order in which a new fault takes no other one's place but one. */
  const byHash = (one: Fault, other: Fault): number => (hashOf(one) < hashOf(other) ? -1 : 1);
  const hashOf = ({ id }: Fault): string => createHash('sha1').update(id).digest('hex');

  /** One run after the other, a second or two each. */
  const timeout = 3_600_000;

  test('at least 17 in 20 of json and export together, and hardly anything else', {
    timeout,
  }, async () => {
    const missed: string[] = [];
    const alsoFound: string[] = [];
    const samples = (['json', 'export'] as const).map((part) => ({
      part,
      chosen: sample(faults[part]),
    }));
    for (const { part, chosen } of samples) {
      for (const fault of chosen) {
        const { id, breaks, mayBreak = [], rules = {}, wire } = fault;
        const drawsPdfs = isDrawnOtherwise(fault);
        const service = { life, rules, drawsPdfs, ...(wire && { wire }) };
        const scenarios = lookingAt(breaks, scenariosOf[part]);
        const { violations } = isWhole
          ? await runAgainst(service, scenarios)
          : await playUntilFound(service, breaks, scenarios);
        const isBroken = ({ clause }: ViolationResult) => breaks.some((one) => one === clause);
        const mayBeBroken = ({ clause }: ViolationResult) => mayBreak.some((one) => one === clause);
        if (!violations.some(isBroken)) missed.push(id);
        const others = violations.filter((one) => !isBroken(one) && !mayBeBroken(one));
        if (others.length > 0) alsoFound.push([id, ...others.map(inOneLine)].join('\n  '));
      }
    }
    const all = samples.flatMap(({ chosen }) => chosen).length;
    expect(missed.length, `missed: ${missed.join(', ')}`).toBeLessThanOrEqual(all * 0.15);
    expect(alsoFound.length, `also found: ${alsoFound.join('\n')}`).toBeLessThanOrEqual(all * 0.1);
  });
});
