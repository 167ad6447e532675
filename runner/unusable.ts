import type { Settings } from '../helpers/config/settings.ts';
import { type Exchange, taskIdOf } from '../helpers/http/exchange.ts';
import { isObject, jsonObject } from '../helpers/json.ts';
import { groupBy, remembered } from '../helpers/maps.ts';
import { literal } from '../helpers/texts.ts';
import type { Variable } from '../schemas/configuration.ts';
import { sameId } from '../schemas/resources.ts';
import type { Lack, UnusableValue } from '../schemas/results.ts';
import { type Conclusion, notConfigured } from './scenario.ts';
import type { ScenarioConclusions } from './verdicts.ts';

/*
 * Configured values that turn out to be wrong. A wrong id is a mistake of whoever configured the run: nothing is
 * judged with it, and the target is not accused because of it.
 */

/** Variables that only the target can show to be right, and the setting of each: ids, and other ways to the service. */
const settingOf = {
  TASK_IDS: 'taskIds',
  ASSESSMENT_IDS: 'assessmentIds',
  ASSIGNED_BY_ID: 'assignedByIds',
  USER_IDS: 'userIds',
  TEAM_IDS: 'teamIds',
  WRONG_REGION_URL: 'wrongRegionUrl',
  BLOCKED_LOCAL_ADDRESS: 'blockedLocalAddress',
  BLOCKED_PROXY_URL: 'blockedProxyUrl',
} as const satisfies Partial<Record<Variable, keyof Settings>>;

/** The settings without values that cannot be used. */
export function withoutUnusable(settings: Settings, unusable: readonly UnusableValue[]): Settings {
  const usable = Object.entries(settingOf).map(([variable, name]) => {
    const wrong = unusable.filter((one) => one.variable === variable);
    const set = settings[name];
    if (typeof set !== 'object') return [name, wrong.length > 0 ? undefined : set];
    return [name, set.filter((id) => !wrong.some(({ value }) => value === id))];
  });
  return { ...settings, ...Object.fromEntries(usable) };
}

/** The lack of `what`, with those values of the variable that are configured and cannot be used. */
export function unusableLack(
  variable: Variable,
  what: string,
  unusable: readonly UnusableValue[],
): Lack {
  const values = unusable.filter((one) => one.variable === variable);
  return {
    variable,
    what,
    ...(values.length > 0 && { unusable: values.map(({ variable: _, ...value }) => value) }),
  };
}

/** What persons that writes name are configured for, as phrases. */
const roles = {
  ASSIGNED_BY_ID: 'a user who may assign tasks',
  USER_IDS: 'a user to whom tasks may be assigned',
  TEAM_IDS: 'a team to which tasks may be assigned',
} as const;

/** A configured user or team in one role: one who assigns, or one to whom tasks are assigned. */
interface Person {
  readonly variable: keyof typeof roles;
  readonly value: string;
}

const persons = new WeakMap<Settings, readonly Person[]>();

/** All of a configuration, the same objects each time: assigners, then users, then teams, as they are listed. */
const personsOf = (settings: Settings): readonly Person[] =>
  remembered(persons, settings, () =>
    // The cast: these are the keys of `roles`.
    (Object.keys(roles) as Person['variable'][]).flatMap((variable) =>
      settings[settingOf[variable]].map((value) => ({ variable, value })),
    ),
  );

/** A refused write that is right in everything but, perhaps, the persons that it names. */
interface Refused {
  readonly exchange: Exchange;
  /** The persons that it names, without those that an accepted write names. */
  readonly suspects: readonly Person[];
}

/**
 * The users and teams that the target refuses: a write that names them was refused, and none was accepted that names
 * them in that role. Of several that a refused write names, one is taken to be the reason (`likeliestReason`); one after
 * the other, until every write has one.
 * @param exchanges of the whole run
 */
export function refusedAssignees(
  exchanges: readonly Exchange[],
  settings: Settings,
): UnusableValue[] {
  const refusals = exchanges
    .filter((one) => isRefusal(one) && !unassignsNobody(one, exchanges))
    .map((exchange) => ({ exchange, named: namedIn(exchange, settings) }))
    .filter(({ named }) => named.length > 0);
  // Called often while the run goes on, and nearly all targets refuse nobody.
  if (refusals.length === 0) return [];
  const accepted = exchanges.filter(isAccepted).flatMap((one) => namedIn(one, settings));
  let unexplained: Refused[] = refusals.map(({ exchange, named }) => ({
    exchange,
    suspects: named.filter((one) => !accepted.includes(one)),
  }));
  const reasons = new Map<Person, UnusableValue>();
  for (;;) {
    const likeliest = likeliestReason(unexplained);
    if (likeliest === undefined) break;
    reasons.set(likeliest.person, likeliest.reason);
    unexplained = unexplained.filter(({ suspects }) => !suspects.includes(likeliest.person));
  }
  const assignees = ['USER_IDS', 'TEAM_IDS'] as const;
  const mayBeExchanged =
    assignees.every((list) => [...reasons.keys()].some(({ variable }) => variable === list)) &&
    !accepted.some(({ variable }) => variable !== 'ASSIGNED_BY_ID');
  return personsOf(settings).flatMap((person): UnusableValue[] => {
    const reason = reasons.get(person);
    if (reason === undefined) return [];
    if (!mayBeExchanged || person.variable === 'ASSIGNED_BY_ID') return [reason];
    return [{ ...reason, exchangedWith: person.variable === 'USER_IDS' ? 'TEAM_IDS' : 'USER_IDS' }];
  });
}

/**
 * Whom refused writes are most likely about: the only suspect of a write; else the only suspect whom the body of a
 * response names; else the suspect of most writes, the assigner before the assignee. Undefined without any suspect.
 * @returns the person, what one of the refusals says, and `or`: other suspects where this is a guess
 */
function likeliestReason(refused: readonly Refused[]) {
  const bySuspect = groupBy(
    refused.flatMap((one) => one.suspects.map((person) => ({ person, ...one }))),
    ({ person }) => person,
  );
  const [likeliest] = Array.from(bySuspect, ([person, naming]) => {
    const isAlone = naming.some(({ suspects }) => suspects.length === 1);
    const byBody = naming.find((one) => bodyNamesOnly(person, one));
    const cited = byBody ?? naming.find(({ exchange }) => excerptOf(exchange)) ?? naming[0];
    const isGuess = !isAlone && byBody === undefined;
    const or = new Set(isGuess ? naming.flatMap(({ suspects }) => suspects) : []);
    or.delete(person);
    const isAssigner = person.variable === 'ASSIGNED_BY_ID';
    const rank = [isAlone, byBody !== undefined, naming.length, isAssigner].map(Number);
    const answer = excerptOf(cited.exchange);
    const reason = {
      ...person,
      status: cited.exchange.response?.status ?? 0,
      ...(answer && { answer }),
      ...(or.size > 0 && { or: [...or] }),
    };
    return { person, reason, rank };
    // Highest rank first: the first place where two ranks differ decides.
  }).toSorted((a, b) => b.rank.map((rank, at) => rank - (a.rank[at] ?? 0)).find(Boolean) ?? 0);
  return likeliest;
}

/** Whether the body of a refusal names this person, by the id or the field that holds it, and no other suspect. */
function bodyNamesOnly(person: Person, { exchange, suspects }: Refused): boolean {
  const text = bodyOf(exchange);
  const isNamed = ({ variable, value }: Person): boolean =>
    [value, variable === 'ASSIGNED_BY_ID' ? 'assigned_by_id' : 'assigned_to_id'].some((name) =>
      new RegExp(`(?<![\\w-])${literal(name)}(?![\\w-])`, 'i').test(text),
    );
  return isNamed(person) && suspects.every((one) => one === person || !isNamed(one));
}

/**
 * The refused writes among these exchanges that name an unusable id, each with the person that it names, whatever else
 * is wrong with it: a target that checks the id first says nothing of the rest.
 */
export function refusalsBecauseOf(
  unusable: readonly UnusableValue[],
  exchanges: readonly Exchange[],
  settings: Settings,
): { readonly exchange: Exchange; readonly named: Person }[] {
  return exchanges
    .filter(isRefusal)
    .flatMap((exchange) => personsIn(exchange, settings).map((named) => ({ exchange, named })))
    .filter(({ named: { variable, value } }) =>
      unusable.some((one) => one.variable === variable && one.value === value),
    );
}

/**
 * What scenarios found; what stands on writes that were refused because of whom they name is `not judged`.
 * @param exchanges of the whole run
 */
export function withoutRefused(
  found: readonly ScenarioConclusions[],
  exchanges: readonly Exchange[],
  settings: Settings,
): readonly ScenarioConclusions[] {
  const unusable = refusedAssignees(exchanges, settings);
  if (unusable.length === 0) return found;
  return found.map(({ scenario, conclusions }) => {
    const own = exchanges.filter((one) => one.scenario === scenario);
    const refused = refusalsBecauseOf(unusable, own, settings);
    const variables = [...new Set(refused.map(({ named }) => named.variable))];
    const lacks = variables.map((variable) => unusableLack(variable, roles[variable], unusable));
    const numbers = refused.map(({ exchange }) => exchange.number);
    // A scenario whose writes were all refused has not seen what a write does.
    const wrote = own.some((one) => one.operation === 'update-assignment' && isAccepted(one));
    const standsOnIt = (conclusion: Conclusion): boolean =>
      conclusion.kind === 'inconclusive' ||
      (conclusion.kind === 'upheld' && !wrote) ||
      (conclusion.kind === 'violated' &&
        conclusion.violation.on.some(({ exchange }) => numbers.includes(exchange)));
    const judged = Array.from(
      conclusions,
      ([id, one]) => [id, standsOnIt(one) ? notConfigured(lacks) : one] as const,
    );
    return { scenario, conclusions: refused.length > 0 ? new Map(judged) : conclusions };
  });
}

function isRefusal(exchange: Exchange): boolean {
  return refusalStatuses.includes(exchange.response?.status ?? 0);
}

/** Statuses of a refusal that may be about whom a write names: not the key, version, path, media type or moment. */
const refusalStatuses = [400, 403, 404, 422];

function isAccepted({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status <= 399;
}

/** The ids of users in whose names writes were accepted, as the writes spell them; an id may come several times. */
export function acceptedAssigners(exchanges: readonly Exchange[]): string[] {
  return exchanges
    .filter((one) => one.operation === 'update-assignment' && isAccepted(one))
    .flatMap(({ request }) => Object.values(jsonObject(request.body) ?? {}))
    .flatMap((object) => (isObject(object) ? [object.assigned_by_id] : []))
    .filter((by) => typeof by === 'string');
}

function bodyOf({ response }: Exchange): string {
  return new TextDecoder().decode(response?.body);
}

/** How much of a body is quoted, in code units. */
const maxQuoted = 160;

/** The beginning of what the target answered, on one line; undefined where that is empty, or a page. */
export function excerptOf(exchange: Exchange): string | undefined {
  const text = bodyOf(exchange).replace(/\s+/g, ' ').trim();
  if (text === '' || text.startsWith('<')) return undefined;
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
}

/** Whether a write unassigns a task without assignment: a service may refuse that, whomever the write names. */
function unassignsNobody(exchange: Exchange, exchanges: readonly Exchange[]): boolean {
  const task = taskIdOf(exchange);
  if (jsonObject(exchange.request.body)?.unassign === undefined || task === undefined) return false;
  const last = exchanges.findLast(
    (one) => one.number < exchange.number && isAccepted(one) && taskIdOf(one) === task,
  );
  return last !== undefined && jsonObject(bodyOf(last))?.assignment === null;
}

/**
 * The persons that a write names; empty where it may be refused for anything else, as a task or person that is not
 * configured, a field that the document does not have, a long comment, or a missing If-Match.
 */
function namedIn(exchange: Exchange, settings: Settings): Person[] {
  const { update, unassign, ...rest } = jsonObject(exchange.request.body) ?? {};
  const holdsOne = (update === undefined) !== (unassign === undefined);
  const object = update ?? unassign;
  if (!holdsOne || !isObject(object) || Object.keys(rest).length > 0) return [];
  const {
    assigned_by_id: _by,
    assigned_to_id: to,
    assigned_to_type: type,
    assignment_comment: comment = null,
    ...further
  } = object;
  const { headers } = exchange.request;
  const isRight =
    Object.keys(further).length === 0 &&
    (comment === null || (typeof comment === 'string' && comment.length <= usualComment)) &&
    settings.taskIds.some((id) => taskIdOf(exchange) === encodeURIComponent(id).toLowerCase()) &&
    headers.some(([name, value]) => name === 'If-Match' && value !== '') &&
    (update !== undefined || (to === undefined && type === undefined));
  const persons = isRight ? personsIn(exchange, settings) : [];
  return persons.length === (update === undefined ? 1 : 2) ? persons : [];
}

/** The configured users and teams that a write names, whatever else is wrong with it; empty for other requests. */
function personsIn({ operation, request }: Exchange, settings: Settings): Person[] {
  if (operation !== 'update-assignment' || request.method !== 'PUT') return [];
  const { update, unassign } = jsonObject(request.body) ?? {};
  const configured = (variable: Person['variable'], id: unknown): Person[] =>
    personsOf(settings)
      .filter((one) => one.variable === variable && sameId(one.value, id))
      .slice(0, 1);
  return [update, unassign].filter(isObject).flatMap((object) => {
    const { assigned_by_id: by, assigned_to_id: to, assigned_to_type: type } = object;
    return [
      ...configured('ASSIGNED_BY_ID', by),
      ...(type === 'USER' ? configured('USER_IDS', to) : []),
      ...(type === 'TEAM' ? configured('TEAM_IDS', to) : []),
    ];
  });
}

/** How long a comment may be is not shown: a comment of more characters may be the reason of a refusal. */
const usualComment = 1000;
