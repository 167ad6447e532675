import { NoResponse } from '../helpers/http/no-response.ts';
import type { Inconclusive } from '../helpers/outcomes.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { type Finding, type Findings, inconclusive, ofEveryClause, thrown } from './findings.ts';
import type { AnyScenario } from './scenario.ts';
import type { World } from './world.ts';

/** The world of one run of a scenario. */
export interface OpenedWorld {
  readonly world: World;
  /** How somebody else has changed a task of the scenario meanwhile; undefined where nobody has. */
  disturbance(): Promise<Inconclusive | undefined>;
  /** Gives back what the scenario took. */
  close(): Promise<void>;
}

export type OpenWorld = (scenario: AnyScenario) => OpenedWorld;

/**
 * Runs a scenario. Where it finds a violation, or could not decide, it is run again (where it breaks off for want of
 * a response, more than once): a violation that shows in one run and not in the other is kept, and marked intermittent.
 */
export async function runScenario(scenario: AnyScenario, open: OpenWorld): Promise<Findings> {
  const first = await runOnce(scenario, open);
  const isSettled = [...first.findings.values()].every(
    ({ kind }) => kind !== 'violated' && kind !== 'inconclusive',
  );
  if (isSettled) return first.findings;
  const runs = [first];
  do runs.push(await runOnce(scenario, open));
  while (runs.at(-1)?.gotNoResponse && runs.length < maxRuns);
  return runs.map(({ findings }) => findings).reduce(merged);
}

/** What keeps responses away in two runs may be over in the next; what does so in four is lasting. */
const maxRuns = 4;

interface Run {
  readonly findings: Findings;
  /** The scenario broke off because the target gave no response. */
  readonly gotNoResponse: boolean;
}

async function runOnce(scenario: AnyScenario, open: OpenWorld): Promise<Run> {
  const opened = open(scenario);
  try {
    const run = await look(scenario, opened.world);
    const accuses = [...run.findings.values()].some(({ kind }) => kind === 'violated');
    const disturbance = accuses ? await opened.disturbance() : undefined;
    if (disturbance === undefined) return run;
    return { ...run, findings: withoutAccusations(run.findings, disturbance) };
  } finally {
    await opened.close();
  }
}

/** What somebody else did is not the target's fault. */
function withoutAccusations(found: Findings, disturbance: Inconclusive): Findings {
  const disturbed = inconclusive(disturbance);
  return new Map(
    [...found].map(([id, finding]) => [id, finding.kind === 'violated' ? disturbed : finding]),
  );
}

async function look(scenario: AnyScenario, world: World): Promise<Run> {
  let evidence: unknown;
  try {
    evidence = await scenario.act(world);
  } catch (error) {
    const findings = ofEveryClause(scenario, thrown(error));
    return { findings, gotNoResponse: error instanceof NoResponse };
  }
  const findings = new Map<ClauseId, Finding>();
  for (const [id, judge] of looks(scenario.judges)) findings.set(id, judged(judge, evidence));
  for (const [id, see] of looks(scenario.observes ?? {})) findings.set(id, observed(see, evidence));
  return { findings, gotNoResponse: false };
}

type Look = (evidence: unknown) => unknown;

function looks(byClause: object): [ClauseId, Look][] {
  // The type of a scenario allows no other keys and values.
  return Object.entries(byClause) as [ClauseId, Look][];
}

function judged(judge: Look, evidence: unknown): Finding {
  try {
    judge(evidence);
    return { kind: 'upheld' };
  } catch (error) {
    return thrown(error);
  }
}

function observed(observe: Look, evidence: unknown): Finding {
  try {
    // The type of a scenario says so.
    const facts = observe(evidence) as readonly unknown[];
    return facts.length === 0
      ? { kind: 'not judged', reason: { kind: 'nothing seen' } }
      : { kind: 'observed', facts };
  } catch (error) {
    return thrown(error);
  }
}

function merged(one: Findings, other: Findings): Findings {
  return new Map([...one].map(([id, finding]) => [id, merge(finding, other.get(id))]));
}

function merge(first: Finding, second: Finding | undefined): Finding {
  if (second === undefined) throw new Error('A run of a scenario lost a clause.');
  const both = [first, second];
  const shown = both.find(({ kind }) => kind === 'violated');
  if (shown?.kind === 'violated') {
    return { ...shown, intermittent: both.some(({ kind }) => kind === 'upheld') };
  }
  const failure = both.find(({ kind }) => kind === 'error');
  if (failure !== undefined) return failure;
  return first.kind === 'inconclusive' ? second : first;
}
