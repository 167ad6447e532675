import { type OpenClause, openClauses } from '../../schemas/clauses.ts';
import type { Profile } from '../../schemas/profile.ts';
import { defaultRules, type Rules } from '../rules.ts';
import { type Adaptation, type Adaptations, Observed } from './adaptation.ts';
import { answerAdaptations } from './answers.ts';
import { exportFileAdaptations } from './export-files.ts';
import { exportRequestAdaptations } from './export-requests.ts';
import { ownProfile } from './own-profile.ts';
import { writeAdaptations } from './writes.ts';

const adaptations: Adaptations = {
  ...writeAdaptations,
  ...answerAdaptations,
  ...exportRequestAdaptations,
  ...exportFileAdaptations,
};

/** Rules that do as a profile says. */
export interface RulesOfProfile {
  readonly rules: Partial<Rules>;
  /** Open clauses of which the profile says something that the service does: by itself, or by these rules. */
  readonly covered: readonly OpenClause[];
  /** Those of which it says something that no rule does: there the service stays as it is. */
  readonly uncovered: readonly OpenClause[];
}

/** Makes the rules of a service that does, where the document is open, what a profile says of another one. */
export function rulesOfProfile({ observations }: Pick<Profile, 'observations'>): RulesOfProfile {
  const covered = openClauses.filter(
    (id) => JSON.stringify(observations[id]) === JSON.stringify(ownProfile[id]),
  );
  let rules: Partial<Rules> = {};
  // In the order of the table: some rules serve several clauses. Its type allows no other keys and values.
  for (const [id, adapt] of Object.entries(adaptations) as [OpenClause, Adaptation][]) {
    const values = observations[id];
    if (values === undefined || covered.includes(id)) continue;
    const changed = adapt(new Observed(values), { ...defaultRules, ...rules });
    if (changed === undefined) continue;
    rules = { ...rules, ...changed };
    covered.push(id);
  }
  const isSaid = (id: OpenClause): boolean => id in observations;
  return {
    rules,
    covered: openClauses.filter((id) => isSaid(id) && covered.includes(id)),
    uncovered: openClauses.filter((id) => isSaid(id) && !covered.includes(id)),
  };
}
