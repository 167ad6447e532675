import { setTimeout } from 'node:timers/promises';
import { Api, type Caller, withoutEvents } from '../helpers/api.ts';
import { isOnThisMachine } from '../helpers/config/addresses.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Client } from '../helpers/http/client.ts';
import { nameOfPreflight } from '../helpers/http/exchange.ts';
import { NoResponse } from '../helpers/http/no-response.ts';
import { Redactor } from '../helpers/http/redact.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import type { Journal } from '../helpers/tasks/journal.ts';
import { excerptOf, type Unusable, type UnusableId, type UnusableRoute } from './unusable.ts';

/** What is known before anything is judged. */
export interface Preflight {
  /** Why nothing can be judged at all; undefined where the run may go on. */
  readonly obstacle: string | undefined;
  /** The configured ids that are not there, and the routes on which nothing answers. */
  readonly unusable: readonly Unusable[];
}

/**
 * Proves what is configured with the least that can: an export of one moment, a read of each task and assessment, and one on
 * every other route, without a key. Whom tasks may be assigned to is shown only by writes.
 * @param journal keeps what was read of tasks
 */
export async function preflight(
  client: Client,
  settings: Settings,
  journal?: Journal,
): Promise<Preflight> {
  const { target } = settings;
  const { baseUrl } = target;
  const api = new Api(client, settings, nameOfPreflight, journal);
  // The ids of the embedded service are its own.
  const proved = (ids: readonly string[]) => (target.kind === 'embedded' ? ids.slice(0, 1) : ids);
  const asked: readonly Asked[] = [
    { answer: api.export(withoutEvents) },
    ...proved(settings.taskIds).map(
      (value): Asked => ({ id: { variable: 'TASK_IDS', value }, answer: api.task(value) }),
    ),
    ...proved(settings.assessmentIds).map(
      (value): Asked => ({
        id: { variable: 'ASSESSMENT_IDS', value },
        answer: api.assessment(value),
      }),
    ),
  ];
  const settled = await Promise.allSettled(asked.map(({ answer }) => answer));
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = answers;
  if (first === undefined) {
    const failure = settled.find((one) => one.status === 'rejected')?.reason;
    if (!(failure instanceof Inconclusive)) throw failure;
    return {
      obstacle: `${baseUrl} cannot be reached: ${whyNotReached(failure, settings)}`,
      unusable: [],
    };
  }
  const obstacle = obstacles.find(({ met }) => answers.every(met));
  if (obstacle !== undefined) {
    return { obstacle: `${baseUrl} ${obstacle.describe(first)}`, unusable: [] };
  }
  const unusable = asked.flatMap(({ id }, index) => {
    const one = settled[index];
    if (id === undefined || one?.status !== 'fulfilled') return [];
    const { status, exchange } = one.value;
    // A 404 says all there is to say.
    const answer = status === 404 ? undefined : excerptOf(exchange);
    return isOfTheId.includes(status) ? [{ ...id, status, ...(answer && { answer }) }] : [];
  });
  // Where the target itself is down, routes to it show nothing.
  return {
    obstacle: undefined,
    unusable: [...unusable, ...(await unansweredRoutes(api, settings))],
  };
}

/** Why nothing came back, and the variables to look at. */
function whyNotReached(failure: Inconclusive, settings: Settings): string {
  const { target, httpsProxy, httpProxy } = settings;
  const [number] = failure.exchanges;
  const why = `${failure.message}${number === undefined ? '' : ` (#${number})`}`;
  const baseUrl = 'BASE_URL';
  const isPlain = target.baseUrl.startsWith('http:');
  const ofScheme = isPlain || httpsProxy === undefined ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const isProxied = (ofScheme === 'HTTP_PROXY' ? httpProxy : httpsProxy) !== undefined;
  const loss = failure instanceof NoResponse ? failure.exchange.failure?.loss : undefined;
  if (loss === 'no proxy') {
    return `${why}. Is ${ofScheme} right, and is the proxy up? NO_PROXY names hosts that are asked without one.`;
  }
  const right =
    isProxied && !isOnThisMachine(target.baseUrl)
      ? `Are ${baseUrl} and ${ofScheme} right`
      : `Is ${baseUrl} right`;
  const scheme = loss === 'cut off' && isPlain ? ' (does that port speak https?)' : '';
  return `${why}. ${right}${scheme}, and is the target up?`;
}

/** The configured routes on which nothing answers; those of the embedded service are its own. */
async function unansweredRoutes(api: Api, settings: Settings): Promise<UnusableRoute[]> {
  const { target, wrongRegionUrl, blockedLocalAddress, blockedProxyUrl } = settings;
  if (target.kind === 'embedded') return [];
  const [id = 'none'] = settings.taskIds;
  const answersBy = async (
    variable: UnusableRoute['variable'],
    value: string | undefined,
    caller: Caller,
  ): Promise<UnusableRoute[]> => {
    if (value === undefined) return [];
    try {
      await api.task(id, { key: null, ...caller });
      return [];
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      const failure = error instanceof NoResponse ? error.exchange.failure : undefined;
      return failure === undefined || failure.loss === 'given up'
        ? []
        : [{ variable, value: shownUrl(value), loss: failure.loss }];
    }
  };
  // Where both are given the proxy is taken.
  const local = blockedProxyUrl === undefined ? blockedLocalAddress : undefined;
  const found = Promise.all([
    answersBy('WRONG_REGION_URL', wrongRegionUrl, { region: 'other' }),
    answersBy('BLOCKED_PROXY_URL', blockedProxyUrl, { route: 'blocked' }),
    answersBy('BLOCKED_LOCAL_ADDRESS', local, { route: 'blocked' }),
  ]);
  return (await Promise.race([found, setTimeout(patienceMs, [], { ref: false })])).flat();
}

/** So long a run waits for a route on which nothing comes back: what needs the route finds that out by itself. */
const patienceMs = 10_000;

/** A proxy may be given with a password. */
function shownUrl(value: string): string {
  return URL.canParse(value) ? new Redactor().url(value).replace(/\/$/, '') : value;
}

/** Statuses that say that an id is the wrong one, or one that this key may not see: where the same key gets an export. */
const isOfTheId = [400, 403, 404, 410, 422];

/** A request, and the configured id that it proves. */
interface Asked {
  readonly id?: Omit<UnusableId, 'status'>;
  readonly answer: Promise<Answer>;
}

interface Obstacle {
  /** Whether an answer is of this kind; where all of them are, the service was not reached. */
  readonly met: (answer: Answer) => boolean;
  readonly describe: (first: Answer) => string;
}

const obstacles: readonly Obstacle[] = [
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
