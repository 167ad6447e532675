import { type Fault, faults } from '../../proof/faults.ts';
import { runAgainst } from '../../proof/in-process.ts';
import type { Life } from '../../proof/life.ts';
import { allMotions, type Motion } from '../../proof/motions.ts';
import {
  byNumberOfEvents,
  isDrawnOtherwise,
  lookingAt,
  manyEvents,
  parts,
  scenariosOf,
  sizeScenarios,
} from '../../proof/parts.ts';
import { type Variant, variants } from '../../proof/variants.ts';
import type { AnyScenario } from '../../runner/scenario.ts';
import { canonical } from '../../schemas/observations.ts';
import type { Results } from '../../schemas/results.ts';

/** One service, played against the scenarios that concern it. */
export interface Play {
  /** What is played: `fault a-409-changes-the-task`; unique. */
  readonly name: string;
  /** What the scenarios say, in lines that are the same each time. */
  run(): Promise<string[]>;
}

type Service = Parameters<typeof runAgainst>[0];

/** The service with a fault or a variant of a part, and the scenarios that may look at it. */
function playedIn(part: (typeof parts)[number], one: Fault | Variant) {
  const { rules = {}, wire, showsAmongMany } = one;
  const service: Service = {
    rules,
    ...(wire && { wire }),
    ...(part === 'export' && { drawsPdfs: isDrawnOtherwise(one) }),
    ...(showsAmongMany && manyEvents),
  };
  return { service, scenarios: showsAmongMany ? sizeScenarios : scenariosOf[part] };
}

/** Every fault: which clauses are violated, by which scenarios, and which are left undecided. */
function faultPlays(): Play[] {
  return parts.flatMap((part) => {
    const { many, few } = byNumberOfEvents(faults[part]);
    return [...few, ...many].map((fault) => {
      const { service, scenarios: all } = playedIn(part, fault);
      const scenarios = part === 'export' ? lookingAt(fault.breaks, all) : all;
      return play(`fault ${fault.id}`, service, scenarios, verdictsIn);
    });
  });
}

/** Every variant: what is observed of open clauses. */
function variantPlays(): Play[] {
  return parts.flatMap((part) =>
    variants[part].map((variant) => {
      const { service, scenarios } = playedIn(part, variant);
      return play(`variant ${variant.id}`, service, scenarios, (results) => [
        ...verdictsIn(results),
        ...observedIn(results),
      ]);
    }),
  );
}

/** Every motion alone: who is accused meanwhile. And the quiet faults while all go on: which of them are still found. */
function motionPlays(): Play[] {
  const under = (motions: readonly Motion[], every: number): Service => {
    const life: Life = { motions, seed: 1, pace: { unit: 'requests', every, lag: 3 } };
    return { pastEvents: 120, life };
  };
  const innocent = allMotions.flatMap((motion) =>
    (['json', 'export'] as const).map((part) =>
      play(`motion ${motion.id}, ${part}`, under([motion], 6), scenariosOf[part], accusedIn),
    ),
  );
  const quiet = (['json', 'export'] as const).flatMap((part) =>
    byNumberOfEvents(faults[part])
      .few.filter(({ breaks }) => breaks.length <= 2)
      .map(({ id, breaks, rules = {}, wire }) =>
        play(
          `in motion, fault ${id}`,
          { ...under(allMotions, 60), pastEvents: 800, rules, ...(wire && { wire }) },
          lookingAt(breaks, scenariosOf[part]),
          accusedIn,
        ),
      ),
  );
  return [...innocent, ...quiet];
}

/** A whole run against the reference service: the verdicts, what is observed, and how many requests of each operation it sends. */
function wholeRun(): Play {
  return {
    name: 'the reference service',
    async run() {
      const results = await runAgainst({ ...manyEvents, drawsPdfs: true });
      const { total, byOperation } = results.requests;
      const requests = Object.entries({ total, ...byOperation });
      return [
        ...verdictsIn(results),
        ...observedIn(results),
        ...requests.map(([name, count]) => `requests ${name}: ${count}`),
      ];
    },
  };
}

/** All plays, in a fixed order. */
export const allPlays = (): readonly Play[] => [
  wholeRun(),
  ...faultPlays(),
  ...variantPlays(),
  ...motionPlays(),
];

function play(
  name: string,
  service: Service,
  scenarios: readonly AnyScenario[],
  say: (results: Results) => string[],
): Play {
  return { name, run: async () => say(await runAgainst(service, scenarios)) };
}

function accusedIn({ violations }: Results): string[] {
  return violations.map(({ clause, scenario }) => `violated ${clause}, by: ${scenario}`);
}

function verdictsIn(results: Results): string[] {
  const undecided = results.clauses.filter(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'error',
  );
  return [...accusedIn(results), ...undecided.map(({ id, verdict }) => `${verdict} ${id}`)];
}

function observedIn({ clauses }: Results): string[] {
  return clauses.flatMap(({ id, verdict, observed }) =>
    verdict === 'observed' ? [`observed ${id}: ${canonical(observed)}`] : [],
  );
}
