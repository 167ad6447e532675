import type { Exchange } from '../../helpers/http/exchange.ts';
import { jsonObject } from '../../helpers/json-object.ts';
import { isObject } from '../../helpers/validation.ts';
import { shellQuoted } from '../commands.ts';
import { jsonText as text, withoutFolder } from './shell.ts';

/*
 * Shell commands that assign the task of a script as it was before, whatever the script ends with.
 */

/** Print the assignment of the task, as it is written there; and its fields, in whatever order a service has them. */
const functions = [
  `assignment() { read_task | grep -oE '"assignment" *: *(null|\\{(${text}|[^"}])*\\})' | head -n 1 | sed 's/^"assignment" *: *//'; }`,
  `fields() { grep -oE '^null|${text} *: *(null|${text})' | sort; }`,
];

/**
 * Notes how the task is assigned, for when the script ends: an assignment has the fields of the `update` object that makes
 * it. Stands before the first write, and needs `read_task`, `version` and `put`.
 *
 * @param writes of the run: who removes an assignment that was not there is who made one
 */
export function puttingBack(writes: readonly Exchange[]): string[] {
  const actor = writes.map(actorOf).find((id) => id !== undefined);
  const unassign = JSON.stringify({ unassign: { assigned_by_id: actor } });
  return [
    '# Assigns the task as it was, however this ends.',
    ...functions,
    'WAS=$(assignment)',
    `is_as_it_was() { [ "$(assignment | fields)" = "$(printf '%s\\n' "$WAS" | fields)" ]; }`,
    'put_back() {',
    'is_as_it_was || case $WAS in',
    ...(actor === undefined
      ? []
      : [`null) put "$(version)" ${shellQuoted(unassign)} > put-back;;`]),
    `*assigned_to_id*) put "$(version)" "{\\"update\\":$WAS}" > put-back;;`,
    'esac',
    `if is_as_it_was; then echo 'The task is assigned as it was before.'; else`,
    `echo "The task is NOT assigned as it was before. The write that was to put it back was answered $(cat put-back 2> /dev/null || echo 'with nothing')."`,
    'echo "Before:     $WAS"; echo "Now:        $(assignment)"; fi',
    '}',
    `trap 'put_back; ${withoutFolder}' EXIT`,
  ];
}

/** In whose name a write was made; undefined where that is no id. */
function actorOf({ request }: Exchange): string | undefined {
  const { update, unassign } = jsonObject(request.body) ?? {};
  const sent = isObject(update) ? update : unassign;
  const id = isObject(sent) ? sent.assigned_by_id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
