import type { Learning } from '../helpers/exports/learning.ts';
import type { Readings } from '../helpers/exports/readings.ts';
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
  /** How the exports changed that the scenario was judged by; undefined where they stood still. */
  unsettled(): Promise<Unsettled | undefined>;
  /** Gives back what the scenario took. */
  close(): Promise<void>;
}

/** Exports that changed while a scenario was judged by them. */
export interface Unsettled {
  readonly why: Inconclusive;
  /** What stood still of them, for a further run; undefined where that is to read everything anew. */
  readonly settled?: { readonly learning: Learning; readonly readings: Readings };
}

/** @param unsettled what the run before it was judged by, where that changed */
export type OpenWorld = (scenario: AnyScenario, unsettled?: Unsettled) => OpenedWorld;

/** Does one piece of work after the other. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs a scenario. Where it finds a violation, or could not decide, it is run again, on readings of its own (where it
 * breaks off for want of a response, or while exports change under it, more than once): a violation that shows in one
 * run and not in the other is kept, and marked intermittent. One that was measured against what has changed since is
 * no evidence.
 *
 * @param inTurn runs scenarios again under which exports changed: the less time it takes, the less changes meanwhile
 */
export async function runScenario(
  scenario: AnyScenario,
  open: OpenWorld,
  inTurn: InTurn = (work) => work(),
): Promise<Findings> {
  const first = await runOnce(scenario, open);
  if (!has(first.findings, 'violated') && !has(first.findings, 'inconclusive'))
    return first.findings;
  const runs = [first];
  const runAgain = async (): Promise<void> => {
    do runs.push(await runOnce(scenario, open, runs.at(-1)));
    while (isToBeRunAgain(runs));
  };
  await (first.unsettled === undefined ? runAgain() : inTurn(runAgain));
  return runs.map(({ findings }) => findings).reduce(merged);
}

/** What keeps responses away in two runs may be over in the next; what does so in four is lasting. */
const maxRuns = 4;
/** With each run on what stood still, less of it is new; exports that still change are not going to settle. */
const maxUnsettledRuns = 6;

function isToBeRunAgain(runs: readonly Run[]): boolean {
  const last = runs.at(-1);
  if (last?.unsettled !== undefined) return runs.length < maxUnsettledRuns;
  return last?.gotNoResponse === true && runs.length < maxRuns;
}

interface Run {
  readonly findings: Findings;
  /** The scenario broke off because the target gave no response. */
  readonly gotNoResponse: boolean;
  readonly unsettled?: Unsettled;
}

async function runOnce(scenario: AnyScenario, open: OpenWorld, before?: Run): Promise<Run> {
  const opened = open(scenario, before?.unsettled);
  try {
    const run = await look(scenario, opened.world);
    const accuses = has(run.findings, 'violated');
    const disturbance = accuses ? await opened.disturbance() : undefined;
    // What could not be decided is run again anyhow after the first run.
    const isOpen = accuses || (before !== undefined && has(run.findings, 'inconclusive'));
    const unsettled = isOpen && disturbance === undefined ? await opened.unsettled() : undefined;
    const why = disturbance ?? unsettled?.why;
    const found =
      why === undefined ? run.findings : inconclusiveWhere('violated', run.findings, why);
    // Where too little stood still, nothing is decided.
    const findings = before?.unsettled?.settled
      ? inconclusiveWhere('not judged', found, before.unsettled.why)
      : found;
    return { ...run, findings, ...(unsettled && { unsettled }) };
  } finally {
    await opened.close();
  }
}

function has(findings: Findings, kind: Finding['kind']): boolean {
  return [...findings.values()].some((finding) => finding.kind === kind);
}

/** What others did meanwhile is neither the target's fault nor a want of configuration. */
function inconclusiveWhere(
  kind: 'violated' | 'not judged',
  found: Findings,
  why: Inconclusive,
): Findings {
  const undecided = inconclusive(why);
  return new Map(
    [...found].map(([id, finding]) => [id, finding.kind === kind ? undecided : finding]),
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
