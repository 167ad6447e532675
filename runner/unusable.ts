import type { Settings } from '../helpers/config/settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import type { Variable } from '../schemas/configuration.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Lack } from '../schemas/results.ts';
import type { Finding, Findings } from './findings.ts';

/*
 * Configured values that the target shows to be wrong. A wrong id is a mistake of whoever configured the run: nothing is
 * judged with it, and nobody is accused because of it.
 */

/** Values that only the target can prove, by the variable. */
type Provable = 'TASK_IDS' | 'ASSESSMENT_IDS' | 'USER_IDS' | 'TEAM_IDS';

/** A configured value that cannot be used, and the status that the target answered to it. */
export interface Unusable {
  readonly variable: Provable;
  readonly value: string;
  readonly status: number;
}

const lists = {
  TASK_IDS: 'taskIds',
  ASSESSMENT_IDS: 'assessmentIds',
  USER_IDS: 'userIds',
  TEAM_IDS: 'teamIds',
} as const satisfies Record<Provable, keyof Settings>;

/** The settings without values that cannot be used. */
export function withoutUnusable(settings: Settings, unusable: readonly Unusable[]): Settings {
  const left = Object.entries(lists).map(([variable, list]) => {
    const wrong = unusable.filter((one) => one.variable === variable);
    const ids = settings[list].filter((id) => !wrong.some(({ value }) => value === id));
    return [list, ids];
  });
  return { ...settings, ...Object.fromEntries(left) };
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
    ...(values.length > 0 && { unusable: values.map(({ value, status }) => ({ value, status })) }),
  };
}

/** A write that names a configured user or team, and is right in everything else that can be seen. */
interface Naming {
  readonly exchange: Exchange;
  readonly named: Omit<Unusable, 'status'>;
}

/**
 * The users and teams that the target refuses: no write that names one of them was accepted,
 * and one was refused.
 * @param exchanges of the whole run
 */
export function refusedAssignees(exchanges: readonly Exchange[], settings: Settings): Unusable[] {
  const writes = writesNaming(exchanges, settings);
  const values = [...new Set(writes.map(({ named }) => named.value))];
  return values.flatMap((value) => {
    const naming = writes.filter(({ named }) => named.value === value);
    const [refusal] = naming.filter(({ exchange }) => isRefusal(exchange));
    const isAccepted = naming.some(({ exchange }) => isIn(exchange, 200, 399));
    if (refusal?.exchange.response === undefined || isAccepted) return [];
    return [{ ...refusal.named, status: refusal.exchange.response.status }];
  });
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
  const refused = writesNaming(own, settings).filter(
    ({ exchange, named }) =>
      isRefusal(exchange) && unusable.some(({ value }) => value === named.value),
  );
  if (refused.length === 0) return findings;
  const variables = [...new Set(refused.map(({ named }) => named.variable))];
  const lacks = variables.map((variable) =>
    unusableLack(variable, 'one whom tasks may be assigned to', unusable),
  );
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

function writesNaming(exchanges: readonly Exchange[], settings: Settings): Naming[] {
  return exchanges.flatMap((exchange) => {
    const named = assigneeOf(exchange, settings);
    return named === undefined ? [] : [{ exchange, named }];
  });
}

function isRefusal(exchange: Exchange): boolean {
  return refusals.includes(exchange.response?.status ?? 0);
}

/**
 * Statuses of a refusal that may be about whom a write names. Others are about the key, the version, the path, the media type
 * or the moment.
 */
const refusals = [400, 403, 404, 422];

function isIn({ response }: Exchange, least: number, most: number): boolean {
  return response !== undefined && response.status >= least && response.status <= most;
}

/**
 * Whom a write names, where it is right in everything but, perhaps, that: a configured task, user or team and assigner, the
 * fields that the document has, an If-Match.
 */
function assigneeOf(
  { operation, request }: Exchange,
  settings: Settings,
): Omit<Unusable, 'status'> | undefined {
  if (operation !== 'update-assignment' || request.method !== 'PUT') return undefined;
  const { update, ...rest } = jsonObject(request.body) ?? {};
  if (!isObject(update) || Object.keys(rest).length > 0) return undefined;
  const {
    assigned_by_id: by,
    assigned_to_id: to,
    assigned_to_type: type,
    assignment_comment: comment = null,
    ...further
  } = update;
  const isRight =
    Object.keys(further).length === 0 &&
    by === settings.assignedById &&
    (comment === null || (typeof comment === 'string' && comment.length <= usualComment)) &&
    settings.taskIds.some((id) => request.url.includes(`/tasks/${encodeURIComponent(id)}/`)) &&
    request.headers.some(([name, value]) => name === 'If-Match' && value !== '');
  if (!isRight || typeof to !== 'string') return undefined;
  const [variable, ids] =
    type === 'USER'
      ? (['USER_IDS', settings.userIds] as const)
      : (['TEAM_IDS', settings.teamIds] as const);
  if (type !== 'USER' && type !== 'TEAM') return undefined;
  const value = ids.find((id) => sameId(id, to));
  return value === undefined ? undefined : { variable, value };
}

/** How long a comment may be is not shown: a longer one than this may be what was refused. */
const usualComment = 1000;

function jsonObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
