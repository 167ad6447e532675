import type { Settings } from '../helpers/config/settings.ts';
import { lackOf } from '../runner/needs.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { longestRunMs } from './journal.ts';

/** What a scenario that writes sends on the average, with putting back; counted over all of them. */
export const writesByScenario = 6;

/**
 * What a run is about to do to a target that other people use: how much it writes, who gets email, and when it has
 * ended at the latest. Empty for the embedded service. Ends with an empty line.
 */
export function announcement(settings: Settings, scenarios: readonly AnyScenario[]): string {
  if (settings.target.kind === 'embedded') return '';
  const { taskIds, userIds, teamIds, target } = settings;
  const writing = scenarios.filter(
    (scenario) => isWriting(scenario) && lackOf(scenario, settings) === undefined,
  );
  const minutes = Math.ceil(longestRunMs(settings) / 60_000);
  const bound = `The run ends within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, whatever the target does.`;
  if (writing.length === 0) return `Nothing is written to ${target.baseUrl}. ${bound}\n\n`;
  const writes = writing.length * writesByScenario + taskIds.length;
  return [
    `About ${writes} writes to ${count(taskIds, 'task')} of ${target.baseUrl}; everything is put back at the end.`,
    `Email goes to ${count(userIds, 'user')} and ${count(teamIds, 'team')}, and to whoever the tasks are assigned to now.`,
    bound,
    '',
    '',
  ].join('\n');
}

function isWriting({ needs = [] }: AnyScenario): boolean {
  return needs.some((need) => need === 'writable-task' || need === 'two-writable-tasks');
}

function count(ids: readonly string[], what: string): string {
  return `${ids.length} ${what}${ids.length === 1 ? '' : 's'}`;
}
