import { runAgainst } from '../../proof/in-process.ts';
import { manyEvents, scenariosOf, sizeScenarios } from '../../proof/parts.ts';
import type { createReference } from '../../reference/reference.ts';
import type { ServiceResponse } from '../../reference/request.ts';
import type { AnyScenario } from '../../runner/scenario.ts';
import type { ClauseResult, Results } from '../../schemas/results.ts';
import { exportSuites } from '../../suites/exports/index.ts';

/** Scenarios that are played together, against a service with as many events as they need. */
export interface Part {
  readonly name: string;
  readonly scenarios: readonly AnyScenario[];
  readonly pastEvents?: number;
  /** The files whose mutants it can show; all of them where it is left out. */
  readonly shows?: RegExp;
}

/** All but what only exports show. */
const ofOthers = /^(?!.*export[^/]*(?:\/[^/]*)?\.ts$)/;

/** The contract, the cheapest part first: most mutants come no further. */
export const parts: readonly Part[] = [
  { name: 'json', scenarios: scenariosOf.json, shows: ofOthers },
  { name: 'email', scenarios: scenariosOf.email, shows: ofOthers },
  { name: 'export', scenarios: Object.values(exportSuites).flat() },
  {
    name: 'size',
    scenarios: sizeScenarios,
    ...manyEvents,
    shows: /export[^/]*\.ts$/,
  },
];

/** What came of a part: its results, where the service could be made at all, and the first thing that it threw. */
export interface Played {
  readonly results?: Results;
  readonly thrown?: string | undefined;
}

/** Plays a part against a service, up to the first violation. An error of the service is answered with 500. */
export async function play(
  { scenarios, pastEvents }: Part,
  create: typeof createReference,
): Promise<Played> {
  let thrown: string | undefined;
  const failed = (error: unknown) => {
    thrown ??= String(error);
    return { status: 500, headers: {}, body: '' };
  };
  const results = await runAgainst(
    {
      create,
      stopsAtViolation: true,
      ...(pastEvents !== undefined && { pastEvents }),
      wire: (handle) => async (request) => {
        try {
          const response = await handle(request);
          return { ...response, body: await whole(response.body) };
        } catch (error) {
          return failed(error);
        }
      },
    },
    scenarios,
  );
  return { results, thrown };
}

/** A file is made while it is read: what is thrown meanwhile is to be seen. */
async function whole(body: ServiceResponse['body']): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return Buffer.concat(await piecesOf(body));
}

/** What two runs against the same service have in common: chance is in the rest. */
export function common(one: Results, other: Results): Results {
  const same = (clause: ClauseResult, index: number) =>
    JSON.stringify(lookOf(clause)) === JSON.stringify(lookOf(other.clauses[index]));
  return { ...one, clauses: one.clauses.filter(same) };
}

/** The clauses of which another verdict was given, or something else was observed, each with its new verdict. */
export function differences(plain: Results, results: Results): readonly string[] {
  const now = new Map(results.clauses.map((clause) => [clause.id, clause]));
  return plain.clauses.flatMap((clause) => {
    const later = now.get(clause.id);
    if (!later || JSON.stringify(lookOf(clause)) === JSON.stringify(lookOf(later))) return [];
    return [`${clause.id}: ${later.verdict}`];
  });
}

const lookOf = (clause: ClauseResult | undefined) => clause && [clause.verdict, clause.observed];

async function piecesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}
