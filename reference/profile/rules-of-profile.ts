import { readFileSync } from 'node:fs';
import { type OpenClause, openClauses } from '../../schemas/clauses.ts';
import { canonical, factSet } from '../../schemas/observations.ts';
import type { Profile } from '../../schemas/profile.ts';
import { defaultRules, type Rules } from '../rules.ts';
import type { Adaptations } from './adaptation.ts';
import { answerAdaptations } from './answers.ts';
import { exportFileAdaptations } from './export-files.ts';
import { exportRequestAdaptations } from './export-requests.ts';
import { writeAdaptations } from './writes.ts';

/*
 * From a profile of another service to rules of this one: for every open clause, an adaptation turns the facts that
 * were observed into a change of rules. Where they are the facts that are observed of this service itself, nothing
 * is changed; where no rule does so, the service stays as it is, and the clause is uncovered.
 */

/**
 * What the suites observe of this service with its default rules, by open clause. The proof sees to it that it stays
 * so.
 */
export const ownProfile: Profile['observations'] = JSON.parse(
  readFileSync(new URL('./own-profile.json', import.meta.url), 'utf8'),
);

const adaptations: Adaptations = {
  ...writeAdaptations,
  ...answerAdaptations,
  ...exportRequestAdaptations,
  ...exportFileAdaptations,
};

/** Rules that do as a profile says. */
export interface RulesOfProfile {
  readonly rules: Partial<Rules>;
  /** Open clauses of the profile that the service does likewise: by itself, or by these rules. */
  readonly covered: readonly OpenClause[];
  /** Those that no rule does likewise: there the service stays as it is. */
  readonly uncovered: readonly OpenClause[];
}

/** Makes the rules of a service that does, where the document is open, what a profile says of another one. */
export function rulesOfProfile({ observations }: Pick<Profile, 'observations'>): RulesOfProfile {
  const covered = new Set(openClauses.filter((id) => isOwn(id, observations)));
  let rules: Partial<Rules> = {};
  // In the order of the table: some rules serve several clauses. Its type allows no other keys.
  for (const id of Object.keys(adaptations) as OpenClause[]) {
    if (covered.has(id)) continue;
    const changed = adapt(id, observations, { ...defaultRules, ...rules });
    if (changed === undefined) continue;
    rules = { ...rules, ...changed };
    covered.add(id);
  }
  const observed = openClauses.filter((id) => id in observations);
  return {
    rules,
    covered: observed.filter((id) => covered.has(id)),
    uncovered: observed.filter((id) => !covered.has(id)),
  };
}

function isOwn(id: OpenClause, observations: Profile['observations']): boolean {
  const [facts, own] = [observations[id], ownProfile[id]];
  if (facts === undefined || own === undefined) return false;
  return canonical(factSet<unknown>(facts)) === canonical(factSet<unknown>(own));
}

function adapt<Id extends OpenClause>(
  id: Id,
  observations: Profile['observations'],
  rules: Rules,
): Partial<Rules> | undefined {
  const [facts, adaptation] = [observations[id], adaptations[id]];
  return facts && adaptation?.(facts, rules);
}
