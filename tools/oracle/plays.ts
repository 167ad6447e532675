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

/** The service with a fault or a variant, and the scenarios of that part of the proof. */
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

/** Every motion alone: which clauses it makes violated. And faults that break few clauses, during all motions. */
function motionPlays(): Play[] {
  const under = (motions: readonly Motion[], every: number): Service => {
    const life: Life = { motions, seed: 1, pace: { unit: 'requests', every, lag: 3 } };
    return { pastEvents: 120, life };
  };
  const alone = allMotions.flatMap((motion) =>
    (['json', 'export'] as const).map((part) =>
      play(`motion ${motion.id}, ${part}`, under([motion], 6), scenariosOf[part], violatedIn),
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
          violatedIn,
        ),
      ),
  );
  return [...alone, ...quiet];
}

/** A whole run against the reference service: verdicts, observations, and requests by operation. */
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

/** A play of scenarios against a service. @param linesOf what it says of the results */
function play(
  name: string,
  service: Service,
  scenarios: readonly AnyScenario[],
  linesOf: (results: Results) => string[],
): Play {
  return { name, run: async () => linesOf(await runAgainst(service, scenarios)) };
}

function violatedIn({ violations }: Results): string[] {
  return violations.map(({ clause, scenario }) => `violated ${clause}, by: ${scenario}`);
}

function verdictsIn(results: Results): string[] {
  const undecided = results.clauses.filter(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'error',
  );
  return [...violatedIn(results), ...undecided.map(({ id, verdict }) => `${verdict} ${id}`)];
}

function observedIn({ clauses }: Results): string[] {
  return clauses.flatMap(({ id, verdict, observed }) =>
    verdict === 'observed' ? [`observed ${id}: ${canonical(observed)}`] : [],
  );
}
