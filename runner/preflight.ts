import { setTimeout } from 'node:timers/promises';
import { Api, type Caller, withoutEvents } from '../helpers/api.ts';
import {
  isOnThisMachine,
  withoutTrailingSlash,
  withoutUserInfo,
} from '../helpers/config/addresses.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { LearnedExports } from '../helpers/exports/learn.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Client } from '../helpers/http/client.ts';
import { nameOfPreflight } from '../helpers/http/exchange.ts';
import { NoResponse } from '../helpers/http/no-response.ts';
import type { Mailbox } from '../helpers/mail/mailbox.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import type { Journal } from '../helpers/tasks/journal.ts';
import { runsIn } from '../helpers/tasks/marks.ts';
import { stateIn } from '../helpers/tasks/task-answer.ts';
import type { Variable } from '../schemas/configuration.ts';
import type { UnusableValue } from '../schemas/results.ts';
import { excerptOf } from './unusable.ts';

/**
 * Checks the configuration with few requests: an export of one millisecond, a read of each configured task and
 * assessment, and a read without a key on each other route. Only writes show to whom tasks may be assigned.
 * @param journal keeps the tasks that were read
 * @returns why nothing can be judged at all (`obstacle`), or undefined where the run may go on; and the configured ids
 *   that are not there, and the routes on which nothing answers
 */
export async function preflight(
  client: Client,
  settings: Settings,
  journal?: Journal,
): Promise<{ readonly obstacle: string | undefined; readonly unusable: readonly UnusableValue[] }> {
  const { target } = settings;
  const { baseUrl } = target;
  const api = new Api(client, settings, nameOfPreflight, journal);
  // The embedded service has all ids that it is configured with: one of each kind is enough.
  const toCheck = (ids: readonly string[]) => (target.kind === 'embedded' ? ids.slice(0, 1) : ids);
  const asked = [
    { id: undefined, answer: api.export(withoutEvents) },
    ...toCheck(settings.taskIds).map((value) => ({
      id: { variable: 'TASK_IDS', value } as const,
      answer: api.task(value),
    })),
    ...toCheck(settings.assessmentIds).map((value) => ({
      id: { variable: 'ASSESSMENT_IDS', value } as const,
      answer: api.assessment(value),
    })),
  ];
  const settled = await Promise.allSettled(asked.map(({ answer }) => answer));
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = answers;
  const failure = settled.find((one) => one.status === 'rejected')?.reason;
  const obstacle =
    first === undefined
      ? `cannot be reached: ${whyNotReached(failure, settings)}`
      : obstacles.find(({ met }) => answers.every(met))?.describe(first);
  if (obstacle !== undefined) return { obstacle: `${baseUrl} ${obstacle}`, unusable: [] };
  const unusable = asked.flatMap(({ id }, index) => {
    const outcome = settled[index];
    if (id === undefined || outcome?.status !== 'fulfilled') return [];
    const { status, exchange } = outcome.value;
    // The body of a 404 tells no more than the status.
    const answer = status === 404 ? undefined : excerptOf(exchange);
    return statusesOfWrongId.includes(status) ? [{ ...id, status, ...(answer && { answer }) }] : [];
  });
  // Other routes are tried last: silence there shows nothing where the target itself is down.
  return {
    obstacle: undefined,
    unusable: [...unusable, ...(await unansweredRoutes(api, settings))],
  };
}

/**
 * Why no response came, and the variables to check: `… Is BASE_URL right, and is the target up?`
 * @throws any failure but an Inconclusive
 */
function whyNotReached(failure: unknown, settings: Settings): string {
  if (!(failure instanceof Inconclusive)) throw failure;
  const { target, httpsProxy, httpProxy } = settings;
  const [number] = failure.exchanges;
  const why = `${failure.message}${number === undefined ? '' : ` (#${number})`}`;
  const isHttp = target.baseUrl.startsWith('http:');
  const proxyVariable = isHttp || httpsProxy === undefined ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const isProxied = (isHttp ? httpProxy : (httpsProxy ?? httpProxy)) !== undefined;
  const loss = failure instanceof NoResponse ? failure.exchange.failure?.loss : undefined;
  if (loss === 'no proxy') {
    return `${why}. Is ${proxyVariable} right, and is the proxy up? NO_PROXY names hosts that are asked without one.`;
  }
  const right =
    isProxied && !isOnThisMachine(target.baseUrl)
      ? `Are BASE_URL and ${proxyVariable} right`
      : 'Is BASE_URL right';
  const scheme = loss === 'cut off' && isHttp ? ' (does that port speak https?)' : '';
  return `${why}. ${right}${scheme}, and is the target up?`;
}

/** The configured routes on which nothing answers; empty for the embedded service, which serves them itself. */
async function unansweredRoutes(api: Api, settings: Settings): Promise<UnusableValue[]> {
  const { target, wrongRegionUrl, blockedLocalAddress, blockedProxyUrl } = settings;
  if (target.kind === 'embedded') return [];
  const [id = 'none'] = settings.taskIds;
  // Where both are configured, requests go through the proxy.
  const local = blockedProxyUrl === undefined ? blockedLocalAddress : undefined;
  const routes: readonly (readonly [Variable, string | undefined, Caller])[] = [
    ['WRONG_REGION_URL', wrongRegionUrl, { region: 'other' }],
    ['BLOCKED_PROXY_URL', blockedProxyUrl, { route: 'blocked' }],
    ['BLOCKED_LOCAL_ADDRESS', local, { route: 'blocked' }],
  ];
  const tried = routes.map(async ([variable, value, caller]): Promise<UnusableValue[]> => {
    if (value === undefined) return [];
    try {
      await api.task(id, { key: null, ...caller });
      return [];
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      const failure = error instanceof NoResponse ? error.exchange.failure : undefined;
      return failure === undefined || failure.loss === 'given up'
        ? []
        : [{ variable, value: withoutTrailingSlash(withoutUserInfo(value)), loss: failure.loss }];
    }
  });
  const patience = setTimeout(patienceMs, [], { ref: false });
  return (await Promise.race([Promise.all(tried), patience])).flat();
}

/** How long preflight waits for all routes: a scenario that needs a silent route notices the silence itself. */
const patienceMs = 10_000;

/** Statuses that mean a wrong id, or one that this key may not see, where the same key gets an export. */
const statusesOfWrongId = [400, 403, 404, 410, 422];

/**
 * What keeps a run from judging anything, where all answers meet it; `describe` says what is wrong and what to check, as
 * a sentence without its subject, the base address.
 */
const obstacles: readonly Readonly<{
  met: (answer: Answer) => boolean;
  describe: (first: Answer) => string;
}>[] = [
  {
    met: ({ status }) => status === 401,
    describe: () =>
      `answers 401 to every request with the configured key. Is API_KEY valid for this region, and is this machine’s address allowed?`,
  },
  {
    met: ({ status }) => status === 404,
    describe: () =>
      `answers 404 to every request, also to an export, which takes no id. Is BASE_URL the address of the service, up to /v5?`,
  },
  {
    met: ({ status }) => status >= 300 && status <= 399,
    describe: ({ status }) =>
      `answers every request with a redirect (${status}). Redirects are not followed: the key goes nowhere else. Give the address that it leads to as BASE_URL.`,
  },
  {
    met: ({ status, text }) =>
      status === 400 && /plain HTTP request|HTTP request to an HTTPS|requires TLS/i.test(text),
    describe: () =>
      `speaks https on that port, and was asked with http. Give BASE_URL with https://.`,
  },
  {
    met: (answer) => /^\s*<(!doctype )?html/i.test(answer.text),
    describe: () =>
      `answers every request with an HTML page, as a sign-in page or a gateway does. Is BASE_URL the address of the service, up to /v5?`,
  },
];

/**
 * Reads everything that the configuration names, and writes nothing. Without the `state` of an id, `why` ends a sentence
 * about the id.
 * @param openMailbox undefined where no mailbox is configured
 */
export async function examine(
  client: Client,
  settings: Settings,
  learn: () => Promise<LearnedExports>,
  openMailbox: (() => Promise<Mailbox>) | undefined,
) {
  const api = new Api(client, settings, 'a look before the run');
  let clockAheadMs: number | undefined;
  const lookAt = async <State>(
    id: string,
    asked: Promise<Answer>,
    read: (answer: Answer) => State | undefined,
  ) => {
    try {
      const answer = await asked;
      clockAheadMs ??= clockDifference(answer);
      const state = read(answer);
      const { status } = answer;
      const why = status === 404 ? 'is not there (404)' : `answered ${status}`;
      return { id, state, why: state === undefined ? why : '' };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      return { id, state: undefined, why: error.message };
    }
  };
  const readTask = (id: string) =>
    lookAt(id, api.task(id), (answer) => {
      const state = stateIn(answer, id);
      const comment = state?.assignment?.assignment_comment;
      return state && { ...state, isOfARun: runsIn(`${comment}`).length > 0 };
    });
  const readAssessment = (id: string) =>
    lookAt(id, api.assessment(id), ({ succeeded, object }) => {
      const workflowState = object?.workflow_state;
      return succeeded && typeof workflowState === 'string' ? { workflowState } : undefined;
    });
  const [tasks, assessments] = await Promise.all([
    Promise.all(settings.taskIds.map(readTask)),
    Promise.all(settings.assessmentIds.map(readAssessment)),
  ]);
  const exports = await learn().catch(reasonOf);
  const mailbox = openMailbox && (await countMessages(openMailbox).catch(reasonOf));
  return { tasks, assessments, exports, mailbox, clockAheadMs };
}

async function countMessages(openMailbox: () => Promise<Mailbox>) {
  const mailbox = await openMailbox();
  const { messages } = await mailbox.poll();
  return { kind: mailbox.kind, messages: messages.length };
}

/** Why something could not be read, for an Inconclusive; throws any other error again. */
function reasonOf(error: unknown): string {
  if (error instanceof Inconclusive) return error.message;
  throw error;
}

/** By how many milliseconds the Date header is ahead of our clock, to the second; undefined without the header. */
function clockDifference(answer: Answer): number | undefined {
  const stated = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(stated) ? undefined : stated - Math.floor(Date.now() / 1000) * 1000;
}
