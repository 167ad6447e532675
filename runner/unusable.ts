import type { Settings } from '../helpers/config/settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { isObject } from '../helpers/validation.ts';
import type { Variable } from '../schemas/configuration.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Lack, Loss } from '../schemas/results.ts';
import type { Finding, Findings } from './findings.ts';

/*
 * Configured values that turn out to be wrong. A wrong id is a mistake of whoever configured the run: nothing is
 * judged with it, and nobody is accused because of it.
 */

/** Ids that only the target can prove, by the variable. */
const lists = {
  TASK_IDS: 'taskIds',
  ASSESSMENT_IDS: 'assessmentIds',
  ASSIGNED_BY_ID: 'assignedByIds',
  USER_IDS: 'userIds',
  TEAM_IDS: 'teamIds',
} as const satisfies Partial<Record<Variable, keyof Settings>>;

/** Ways to the service, or to another region of it, beside BASE_URL: something has to answer there. */
const routes = {
  WRONG_REGION_URL: 'wrongRegionUrl',
  BLOCKED_LOCAL_ADDRESS: 'blockedLocalAddress',
  BLOCKED_PROXY_URL: 'blockedProxyUrl',
} as const satisfies Partial<Record<Variable, keyof Settings>>;

/** A configured id that cannot be used, and the status that the target answered to it. */
export interface UnusableId {
  readonly variable: keyof typeof lists;
  readonly value: string;
  readonly status: number;
}

/** A configured route on which nothing answers, and why no response came. */
export interface UnusableRoute {
  readonly variable: keyof typeof routes;
  readonly value: string;
  readonly loss: Loss;
}

/** A configured value that cannot be used. */
export type Unusable = UnusableId | UnusableRoute;

/** The settings without values that cannot be used. */
export function withoutUnusable(settings: Settings, unusable: readonly Unusable[]): Settings {
  const ids = Object.entries(lists).map(([variable, list]) => {
    const wrong = unusable.filter((one) => one.variable === variable);
    return [list, settings[list].filter((id) => !wrong.some(({ value }) => value === id))];
  });
  const dead = Object.entries(routes)
    .filter(([variable]) => unusable.some((one) => one.variable === variable))
    .map(([, route]) => [route, undefined]);
  return { ...settings, ...Object.fromEntries([...ids, ...dead]) };
}

/** What the configuration lacks where a value of it cannot be used. */
export function unusableLack(
  variable: Variable,
  what: string,
  unusable: readonly Unusable[],
): Lack {
  const values = unusable.filter((one) => one.variable === variable);
  return {
    variable,
    what,
    ...(values.length > 0 && { unusable: values.map(({ variable: _, ...value }) => value) }),
  };
}

/** A write that names a configured user or team, or is made in the name of one, and is right in everything else that can be seen. */
interface Naming {
  readonly exchange: Exchange;
  readonly named: Omit<UnusableId, 'status'>;
}

/**
 * The users and teams that the target refuses, as assignees or as those in whose name writes are made: no write that names
 * one of them was accepted, and one was refused.
 * @param exchanges of the whole run
 */
export function refusedAssignees(exchanges: readonly Exchange[], settings: Settings): UnusableId[] {
  const refusals = exchanges
    .filter(isRefusal)
    .map((one) => ({ status: one.response?.status ?? 0, named: namedIn(one, settings) }))
    .filter(({ named }) => named.length > 0);
  // Asked again and again while the run goes on: nearly all targets refuse nobody.
  if (refusals.length === 0) return [];
  const accepted = writesNaming(exchanges.filter(isAccepted), settings);
  const isOfUse = ({ value }: Naming['named']): boolean =>
    accepted.some(({ named }) => named.value === value);
  const unusable = new Map<string, UnusableId>();
  // Those that name one are the plainest; of two of whom one is refused anyhow, nothing is known of the other.
  for (const { named, status } of refusals.toSorted((a, b) => a.named.length - b.named.length)) {
    if (named.some(({ value }) => unusable.has(value))) continue;
    for (const one of named.filter((each) => !isOfUse(each))) {
      unusable.set(one.value, { ...one, status });
    }
  }
  return [...unusable.values()];
}

/** Those of these exchanges that are refusals because of whom they name. */
export function refusalsBecauseOf(
  unusable: readonly Unusable[],
  exchanges: readonly Exchange[],
  settings: Settings,
): Naming[] {
  return writesNaming(exchanges.filter(isRefusal), settings).filter(({ named }) =>
    unusable.some(({ value }) => value === named.value),
  );
}

/**
 * What a scenario found, but for what stands on writes that were refused because of whom they name: that is not judged.
 * @param unusable as `refusedAssignees` gives it
 */
export function withoutRefused(
  { scenario, findings }: { readonly scenario: string; readonly findings: Findings },
  unusable: readonly Unusable[],
  exchanges: readonly Exchange[],
  settings: Settings,
): Findings {
  const own = exchanges.filter((one) => one.scenario === scenario);
  const refused = refusalsBecauseOf(unusable, own, settings);
  if (refused.length === 0) return findings;
  const variables = [...new Set(refused.map(({ named }) => named.variable))];
  const lacks = variables.map((variable) => unusableLack(variable, roles[variable], unusable));
  const unjudged = { kind: 'not judged', reason: { kind: 'not configured', lacks } } as const;
  const numbers = refused.map(({ exchange }) => exchange.number);
  const standsOnIt = (finding: Finding): boolean =>
    finding.kind === 'inconclusive' ||
    (finding.kind === 'violated' &&
      finding.violation.on.some(({ exchange }) => numbers.includes(exchange)));
  return new Map(
    [...findings].map(([id, finding]) => [id, standsOnIt(finding) ? unjudged : finding]),
  );
}

const roles: Readonly<Record<Naming['named']['variable'], string>> = {
  TASK_IDS: 'a task',
  ASSESSMENT_IDS: 'an assessment',
  ASSIGNED_BY_ID: 'a user who may assign tasks',
  USER_IDS: 'a user to whom tasks may be assigned',
  TEAM_IDS: 'a team to which tasks may be assigned',
};

function writesNaming(exchanges: readonly Exchange[], settings: Settings): Naming[] {
  return exchanges.flatMap((exchange) =>
    namedIn(exchange, settings).map((named) => ({ exchange, named })),
  );
}

function isRefusal(exchange: Exchange): boolean {
  return refusals.includes(exchange.response?.status ?? 0);
}

/**
 * Statuses of a refusal that may be about whom a write names. Others are about the key, the version, the path, the media type
 * or the moment.
 */
const refusals = [400, 403, 404, 422];

function isAccepted({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status <= 399;
}

/**
 * Whom a write names, where it is right in everything but, perhaps, that: a configured task, user or team and assigner, the
 * fields that the document has, an If-Match. The first assigner is taken for right: most writes are made in that name.
 */
function namedIn({ operation, request }: Exchange, settings: Settings): Naming['named'][] {
  if (operation !== 'update-assignment' || request.method !== 'PUT') return [];
  const { update, unassign, ...rest } = jsonObject(request.body) ?? {};
  const isOne = (update === undefined) !== (unassign === undefined);
  const object = update ?? unassign;
  if (!isOne || !isObject(object) || Object.keys(rest).length > 0) return [];
  const {
    assigned_by_id: by,
    assigned_to_id: to,
    assigned_to_type: type,
    assignment_comment: comment = null,
    ...further
  } = object;
  const actor = settings.assignedByIds.find((id) => id === by);
  const isRight =
    Object.keys(further).length === 0 &&
    actor !== undefined &&
    (comment === null || (typeof comment === 'string' && comment.length <= usualComment)) &&
    settings.taskIds.some((id) => request.url.includes(`/tasks/${encodeURIComponent(id)}/`)) &&
    request.headers.some(([name, value]) => name === 'If-Match' && value !== '');
  if (!isRight) return [];
  const assigner =
    actor === settings.assignedByIds[0]
      ? []
      : [{ variable: 'ASSIGNED_BY_ID', value: actor } as const];
  if (update === undefined) return to === undefined && type === undefined ? assigner : [];
  const [variable, ids] =
    type === 'USER'
      ? (['USER_IDS', settings.userIds] as const)
      : (['TEAM_IDS', settings.teamIds] as const);
  if (typeof to !== 'string' || (type !== 'USER' && type !== 'TEAM')) return [];
  const value = ids.find((id) => sameId(id, to));
  return value === undefined ? [] : [...assigner, { variable, value }];
}

/** How long a comment may be is not shown: a longer one than this may be what was refused. */
const usualComment = 1000;
