import { NoResponse } from '../helpers/http/no-response.ts';
import { Inconclusive, NotJudged, Violation } from '../helpers/outcomes.ts';
import { type ClauseId, clauseOf } from '../schemas/clauses.ts';
import type { AnyScenario, Seen } from './scenario.ts';
import type { World } from './world.ts';

/** What one play of one scenario says of one clause. */
export type Finding =
  | { readonly kind: 'upheld' }
  | { readonly kind: 'violated'; readonly violation: Violation; readonly intermittent: boolean }
  | { readonly kind: 'inconclusive'; readonly reason: string }
  | { readonly kind: 'not judged'; readonly reason: string }
  | { readonly kind: 'observed'; readonly values: readonly string[] }
  | { readonly kind: 'nothing seen' };

/** What a scenario says of its clauses. */
export type Findings = ReadonlyMap<ClauseId, Finding>;

/** The world of one play. */
export interface OpenedWorld {
  readonly world: World;
  /** Whether somebody else has changed a task of the play meanwhile: a sentence, or undefined. */
  disturbance(): Promise<string | undefined>;
  /** Gives back what the play took. */
  close(): Promise<void>;
}

export type OpenWorld = (scenario: AnyScenario) => OpenedWorld;

/**
 * Plays a scenario. Where it finds a violation, or could not hear the target, it is played again (where it breaks
 * off for want of an answer, more than once): a violation that shows in one play and not in the other is kept, and
 * marked intermittent.
 */
export async function play(scenario: AnyScenario, open: OpenWorld): Promise<Findings> {
  const first = await playOnce(scenario, open);
  const settled = [...first.findings.values()].every(
    ({ kind }) => kind !== 'violated' && kind !== 'inconclusive',
  );
  if (settled) return first.findings;
  const plays = [first];
  do plays.push(await playOnce(scenario, open));
  while (plays.at(-1)?.gotNoResponse && plays.length < mostPlays);
  return plays.map(({ findings }) => findings).reduce(merged);
}

/** Weather that two plays met may be over in the next; weather that four met is lasting. */
const mostPlays = 4;

interface Played {
  readonly findings: Findings;
  /** The story broke off because the target gave no answer. */
  readonly gotNoResponse: boolean;
}

async function playOnce(scenario: AnyScenario, open: OpenWorld): Promise<Played> {
  const opened = open(scenario);
  try {
    const { findings, gotNoResponse } = await look(scenario, opened.world);
    const accuses = [...findings.values()].some(({ kind }) => kind === 'violated');
    const disturbance = accuses ? await opened.disturbance() : undefined;
    if (disturbance === undefined) return { findings, gotNoResponse };
    return { findings: withoutAccusations(findings, disturbance), gotNoResponse };
  } finally {
    await opened.close();
  }
}

/** What somebody else did is not the target's fault. */
function withoutAccusations(found: Findings, disturbance: string): Findings {
  return new Map(
    [...found].map(([id, finding]) => [
      id,
      finding.kind === 'violated' ? { kind: 'inconclusive', reason: disturbance } : finding,
    ]),
  );
}

async function look(scenario: AnyScenario, world: World): Promise<Played> {
  try {
    const evidence: unknown = await scenario.act(world);
    const judged = clausesOf(scenario.judges).map(
      ([id, judge]) => [id, finding(() => judgement(judge, evidence))] as const,
    );
    const observed = clausesOf(scenario.observes ?? {}).map(
      ([id, observe]) => [id, finding(() => observation(observe, evidence))] as const,
    );
    return { findings: new Map([...judged, ...observed]), gotNoResponse: false };
  } catch (error) {
    const ids = [...clausesOf(scenario.judges), ...clausesOf(scenario.observes ?? {})];
    const findings = new Map(ids.map(([id]) => [id, finding(() => rethrow(error))]));
    return { findings, gotNoResponse: error instanceof NoResponse };
  }
}

type Look = (evidence: unknown) => unknown;

function clausesOf(looks: object): [ClauseId, Look][] {
  // The type of a scenario allows no other keys and values.
  return Object.entries(looks) as [ClauseId, Look][];
}

function judgement(judge: Look, evidence: unknown): Finding {
  judge(evidence);
  return { kind: 'upheld' };
}

function observation(observe: Look, evidence: unknown): Finding {
  // The type of a scenario says so.
  const seen = observe(evidence) as readonly Seen[];
  return seen.length === 0
    ? { kind: 'nothing seen' }
    : { kind: 'observed', values: seen.map((one) => JSON.stringify(one)) };
}

function rethrow(error: unknown): never {
  throw error;
}

function finding(look: () => Finding): Finding {
  try {
    return look();
  } catch (error) {
    if (error instanceof Violation)
      return { kind: 'violated', violation: error, intermittent: false };
    if (error instanceof NotJudged) return { kind: 'not judged', reason: error.message };
    if (error instanceof Inconclusive) return { kind: 'inconclusive', reason: error.message };
    // A failure of ours is neither a violation of the target nor a pass.
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'inconclusive', reason: `The suite itself failed: ${what}` };
  }
}

function merged(one: Findings, other: Findings): Findings {
  return new Map([...one].map(([id, finding]) => [id, merge(finding, other.get(id))]));
}

function merge(first: Finding | undefined, second: Finding | undefined): Finding {
  if (first === undefined || second === undefined) throw new Error('A play lost a clause.');
  const violated = [first, second].filter((one) => one.kind === 'violated');
  const [shown] = violated;
  if (shown !== undefined) {
    const held = first.kind === 'upheld' || second.kind === 'upheld';
    return { ...shown, intermittent: held };
  }
  return first.kind === 'inconclusive' ? second : first;
}

/** The clauses that a scenario judges or observes. */
export function clauseIdsOf(scenario: AnyScenario): ClauseId[] {
  const ids = [...clausesOf(scenario.judges), ...clausesOf(scenario.observes ?? {})];
  return ids.map(([id]) => id).filter((id) => clauseOf(id) !== undefined);
}
