import { embeddedTarget, type Profile, profileSchema } from '../schemas/profile.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';

/**
 * The profile of the target of a run: what was observed of each open clause that requests can show, or why nothing
 * was. Only its date depends on the run, so that a profile that is made again changes only where the target did.
 */
export function profileOf({ suite, target, startedAt, clauses }: Results): Profile {
  const open = clauses
    .filter(({ level, verdict }) => level === 'open' && verdict !== 'untestable')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isObserved = ({ verdict }: ClauseResult): boolean => verdict === 'observed';
  return {
    $schema: profileSchema.$id,
    format: 2,
    suite,
    target: target.kind === 'embedded' ? embeddedTarget : target.baseUrl,
    date: startedAt.slice(0, 10),
    observations: Object.fromEntries(
      open.filter(isObserved).map(({ id, observed }) => [id, observed]),
    ),
    // Only the kinds of reasons: what else a reason says changes from run to run.
    notObserved: Object.fromEntries(
      open
        .filter((clause) => !isObserved(clause))
        .map(({ id, reasons }) => [id, [...new Set(reasons.map(({ kind }) => kind))].sort()]),
    ),
  };
}
