import { embeddedTarget, type Profile, type Seen } from '../schemas/profile.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { withoutExchanges } from './grouping.ts';
import { jsonText } from './printable.ts';

/**
 * The profile of the target of a run: what was seen of each open clause that requests can show, or why nothing was.
 * Nothing in it tells one run from another but the day, so that a profile that is made again changes only where the
 * target did.
 */
export function profileOf({ target, startedAt, clauses }: Results): Profile {
  const open = clauses
    .filter(({ level, verdict }) => level === 'open' && verdict !== 'untestable')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isSeen = ({ verdict }: ClauseResult): boolean => verdict === 'observed';
  return {
    format: 1,
    target: target.kind === 'embedded' ? embeddedTarget : target.baseUrl,
    date: startedAt.slice(0, 10),
    observations: Object.fromEntries(
      open.filter(isSeen).map(({ id, observed }) => [id, observed.map(seen)]),
    ),
    notObserved: Object.fromEntries(
      open.filter((clause) => !isSeen(clause)).map(({ id, reason }) => [id, lasting(reason)]),
    ),
  };
}

/** The content of profile.json. Ends with a line feed. */
export function renderProfile(profile: Profile): string {
  return jsonText(profile);
}

function seen(json: string): Seen {
  // The runner wrote it.
  return JSON.parse(json) as Seen;
}

/** A reason without the numbers of exchanges, and without ids. */
function lasting(reason: string): string {
  return withoutExchanges(reason).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/gi, '…');
}
