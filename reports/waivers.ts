import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { clauseIds } from '../schemas/clauses.ts';
import type { ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';
import { isTimestamp } from '../schemas/timestamp.ts';
import { type Waiver, waiversSchema } from '../schemas/waivers.ts';
import { nearest } from './nearest.ts';

/** waivers.json is not what it should be. The message says where, and what to write instead. */
export class WaiversError extends Error {
  override readonly name = 'WaiversError';
}

/** What the waivers come to in a run. */
export interface WaiverReview {
  /** The clause is violated, and the run does not fail for it. */
  readonly waived: readonly Waiver[];
  /** The clause is violated, and the waiver's last day is over: the run fails. */
  readonly expired: readonly Waiver[];
  /** The clause is upheld: the waiver can go. */
  readonly stale: readonly Waiver[];
  /** The clause was not decided. */
  readonly undecided: readonly Waiver[];
}

/** The states of waivers in the order in which reports show them, with words for people. */
export const waiverStates = [
  { state: 'expired', title: 'Waivers that have expired' },
  { state: 'waived', title: 'Waived' },
  { state: 'stale', title: 'Waivers of clauses that are upheld: they can go' },
  { state: 'undecided', title: 'Waivers of clauses that were not decided' },
] as const satisfies readonly { state: keyof WaiverReview; title: string }[];

export const noWaivers: WaiverReview = { waived: [], expired: [], stale: [], undecided: [] };

const ajv = new Ajv2020({ allErrors: true });
ajv.addFormat('date', (text) => isTimestamp(`${text}T00:00:00Z`));
const validate = ajv.compile<Waiver[]>(waiversSchema);

/**
 * Reads the content of waivers.json.
 * @throws WaiversError where it is no JSON, does not fit the schema, or names a clause twice or one that is not there
 */
export function parseWaivers(text: string, known: readonly string[] = clauseIds): Waiver[] {
  const waivers = parsed(text);
  if (!validate(waivers)) throw new WaiversError((validate.errors ?? []).map(problem).join('\n'));
  waivers.forEach(({ clause }, index) => {
    if (!known.includes(clause)) {
      const ids = nearest(clause, known).join(', ');
      throw new WaiversError(
        `waivers.json, entry ${index + 1}: no clause is called "${clause}". Nearest: ${ids}`,
      );
    }
    if (waivers.findIndex((other) => other.clause === clause) !== index) {
      throw new WaiversError(
        `waivers.json, entry ${index + 1}: "${clause}" has a waiver already. Keep one.`,
      );
    }
  });
  return waivers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WaiversError(`waivers.json is not JSON: ${(error as Error).message}`);
  }
}

function problem({ instancePath, keyword, params, message }: ErrorObject): string {
  const [, index, field] = instancePath.split('/');
  const place = index === undefined ? 'waivers.json' : `waivers.json, entry ${Number(index) + 1}`;
  const at = field === undefined ? place : `${place}, ${field}`;
  if (keyword === 'additionalProperties') {
    return `${at}: "${params.additionalProperty}" is not a field of a waiver`;
  }
  if (keyword === 'format') return `${at}: must be a date like 2026-12-31`;
  if (field === 'issue') return `${at}: must be an http(s) address`;
  if (keyword === 'pattern') return `${at}: must not be empty`;
  return `${at}: ${message}`;
}

/** @param now the instant of the run; a waiver holds to the end of its last day in UTC */
export function reviewWaivers(
  { clauses }: Results,
  waivers: readonly Waiver[],
  now: Date,
): WaiverReview {
  const verdicts = new Map(clauses.map(({ id, verdict }) => [id, verdict]));
  const today = now.toISOString().slice(0, 10);
  const having = (verdict: ClauseVerdict) =>
    waivers.filter(({ clause }) => verdicts.get(clause) === verdict);
  const violated = having('violated');
  const stale = having('upheld');
  return {
    waived: violated.filter(({ expires }) => expires >= today),
    expired: violated.filter(({ expires }) => expires < today),
    stale,
    undecided: waivers.filter((waiver) => !violated.includes(waiver) && !stale.includes(waiver)),
  };
}

/** The verdict of a run when violations that a waiver covers do not count. */
export function verdictUnder({ waived }: WaiverReview, results: Results): RunVerdict {
  if (results.verdict !== 'violations' || waived.length === 0) return results.verdict;
  const ids = new Set(waived.map(({ clause }) => clause));
  if (results.violations.some(({ clause }) => !ids.has(clause))) return 'violations';
  const undecided = results.clauses.some(
    ({ level, verdict }) =>
      level !== 'open' && (verdict === 'inconclusive' || verdict === 'not judged'),
  );
  return undecided ? 'incomplete' : 'conformant';
}
