import { type Fault, faults } from '../../proof/faults.ts';
import type { ProofOptions } from '../../proof/in-process.ts';
import { allMotions, type Motion } from '../../proof/motions.ts';
import {
  isDrawnOtherwise,
  lookingAt,
  manyEvents,
  parts,
  scenariosOf,
  sizeScenarios,
} from '../../proof/parts.ts';
import { type Variant, variants } from '../../proof/variants.ts';
import type { AnyScenario } from '../../runner/scenario.ts';
import { scenarios as everyScenario } from '../../suites/index.ts';

/** One service, played against the scenarios that concern it. */
export interface Play {
  /** What is played: `fault a-409-changes-the-task`; unique. */
  readonly name: string;
  readonly service: ProofOptions;
  readonly scenarios: readonly AnyScenario[];
  /** What is written down of the results. */
  readonly shows: readonly ('violated' | 'undecided' | 'observed' | 'requests')[];
}

type Part = (typeof parts)[number];

/** The service with a fault or a variant, and the scenarios of that part of the proof. */
function playedIn(part: Part, one: Fault | Variant): Pick<Play, 'service' | 'scenarios'> {
  const service = {
    ...changesOf(one),
    ...(part === 'export' && { drawsPdfs: isDrawnOtherwise(one) }),
    ...(one.showsAmongMany && manyEvents),
  };
  return { service, scenarios: one.showsAmongMany ? sizeScenarios : scenariosOf[part] };
}

const changesOf = ({ rules = {}, wire }: Fault | Variant) => ({ rules, ...(wire && { wire }) });

/** A fault: which clauses are violated, by which scenarios, and which are left undecided. */
function faultPlay(part: Part, fault: Fault): Play {
  const { service, scenarios: all } = playedIn(part, fault);
  const scenarios = part === 'export' ? lookingAt(fault.breaks, all) : all;
  return { name: `fault ${fault.id}`, service, scenarios, shows: ['violated', 'undecided'] };
}

/** A service in which something goes on meanwhile. @param every after how many requests something happens */
function living(motions: readonly Motion[], every: number, pastEvents: number): ProofOptions {
  const pace = { unit: 'requests', every, lag: 3 } as const;
  return { pastEvents, life: { motions, seed: 1, pace } };
}

/** A fault during all motions: which clauses are found violated all the same. */
function faultInMotion(part: Part, fault: Fault): Play {
  return {
    name: `in motion, fault ${fault.id}`,
    service: { ...living(allMotions, 60, 800), ...changesOf(fault) },
    scenarios: lookingAt(fault.breaks, scenariosOf[part]),
    shows: ['violated'],
  };
}

const withMotions = ['json', 'export'] as const;

/** All plays: a whole run, every fault, variant and motion alone, and faults that break few clauses in motion. */
export const plays: readonly Play[] = [
  {
    name: 'the reference service',
    service: { ...manyEvents, drawsPdfs: true },
    scenarios: everyScenario,
    shows: ['violated', 'undecided', 'observed', 'requests'],
  },
  ...parts.flatMap((part) => faults[part].map((fault) => faultPlay(part, fault))),
  ...parts.flatMap((part) =>
    variants[part].map(
      (variant): Play => ({
        name: `variant ${variant.id}`,
        ...playedIn(part, variant),
        shows: ['violated', 'undecided', 'observed'],
      }),
    ),
  ),
  ...allMotions.flatMap((motion) =>
    withMotions.map(
      (part): Play => ({
        name: `motion ${motion.id}, ${part}`,
        service: living([motion], 6, 120),
        scenarios: scenariosOf[part],
        shows: ['violated'],
      }),
    ),
  ),
  ...withMotions.flatMap((part) =>
    faults[part]
      .filter(({ breaks, showsAmongMany }) => breaks.length <= 2 && !showsAmongMany)
      .map((fault) => faultInMotion(part, fault)),
  ),
];
