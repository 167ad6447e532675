import { setTimeout as pause } from 'node:timers/promises';
import { ajv } from '../helpers/ajv.ts';
import { type Environment, readSettings } from '../helpers/config/read-settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { inVirtualTime, timeless } from '../helpers/http/virtual-time.fixture.ts';
import { AddressBook } from '../helpers/mail/address-book.ts';
import { createReference, type Reference, type ReferenceOptions } from '../reference/reference.ts';
import { ContractRun } from '../runner/run.ts';
import { type AnyScenario, withLookedAt } from '../runner/scenario.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { type Results, resultsSchema } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { cachingReaders } from './caching-readers.ts';
import { type Life, living } from './life.ts';
import { type MailRoute, memoryMailbox } from './memory-mailbox.ts';
import { textSheets } from './pdf-as-text.ts';
import { isWhole } from './sample.ts';

const own = 'http://own.region.test/v5';
const other = 'http://other.region.test/v5';

/** `PROOF_SEED=2` proves the same with other data, on another day, which no judge may depend on. */
const usualSeed = Number(process.env.PROOF_SEED ?? 1);
const hour = 3_600_000;
/** Enough for most of what is proved, in half the time of the whole proof. */
const usualEvents = isWhole ? 800 : 300;
const readers = cachingReaders();
/** How long a response is on its way: of two requests one after the other, no two are answered at one moment. */
const wayMs = 1;
const isResults = ajv.compile(resultsSchema);

/** The service that scenarios are run against, and how. */
export interface ProofOptions extends Omit<ReferenceOptions, 'seed' | 'answering'> {
  /** What goes on beside the requests; nothing does where it is left out. */
  readonly life?: Life;
  /** Of the data, of the day and of what the suite chooses; that of the environment where it is left out. */
  readonly seed?: number;
  /** Whether PDFs are drawn and read, or handed over as text: what a file holds is the same. */
  readonly drawsPdfs?: boolean;
  /** Makes the service; that of `reference/` where it is left out. */
  readonly create?: typeof createReference;
  /** Plays one scenario after the other, and no more once all these clauses are found violated, or any. */
  readonly until?: readonly ClauseId[] | 'any clause is violated';
  /** In place of what is configured: all that there is. */
  readonly configured?: (facts: Reference['facts']) => Environment;
  /** Begins and ends the run as the command does; is given all of its exchanges. */
  readonly onEnd?: (exchanges: readonly Exchange[]) => void;
}

/**
 * Runs scenarios in process, without sockets, against a reference service with other rules: thousands of runs a minute.
 * Email and audit events are waited for as long as such a service takes, and no longer; how long anything takes in the process
 * changes nothing (`helpers/http/virtual-time.fixture.ts`).
 */
export const runAgainst: typeof runInTime = (...given) => inVirtualTime(() => runInTime(...given));

async function runInTime(
  {
    drawsPdfs = false,
    create = createReference,
    until,
    seed = usualSeed,
    configured = () => ({}),
    onEnd,
    life,
    rules,
    ...options
  }: ProofOptions,
  selected: readonly AnyScenario[] = scenarios,
  mail: MailRoute = memoryMailbox(),
): Promise<Results> {
  // Every run of a seed begins at this moment, so that services that differ in nothing answer the same bytes.
  const now = Date.UTC(2026, 5, 15, 12) + (seed - 1) * 1277 * hour;
  const began = performance.now();
  const reference = create({
    seed,
    post: mail.post,
    pastEvents: usualEvents,
    clock: () => now + performance.now() - began,
    rules: drawsPdfs ? { ...rules } : { pdfSheets: textSheets, ...rules },
    ...(life && { answering: living(life) }),
    ...options,
  });
  const { facts } = reference;
  const settings = readSettings(
    {
      BASE_URL: own,
      API_KEY: facts.apiKey,
      TASK_IDS: facts.taskIds.join(','),
      ASSESSMENT_IDS: facts.assessmentIds.join(','),
      ASSIGNED_BY_ID: facts.actorIds.join(','),
      USER_IDS: facts.userIds.join(','),
      TEAM_IDS: facts.teamIds.join(','),
      WRONG_REGION_URL: other,
      BLOCKED_LOCAL_ADDRESS: '127.0.0.2',
      ALLOW_WRITES: 'yes',
      MAX_REQUESTS_PER_SECOND: '0',
      // Longer than the latest events of a variant take.
      AUDIT_TIMEOUT_MS: '100',
      READ_SETTLE_MS: life === undefined ? '10' : '150',
      MAILBOX_URL: 'http://mailbox.test',
      USER_EMAILS: JSON.stringify(facts.userEmails),
      TEAM_EMAILS: JSON.stringify(facts.teamEmails),
      MAIL_TIMEOUT_MS: '50',
      ...configured(facts),
    },
    seed,
  );
  const run = new ContractRun({
    settings,
    send: inProcess(reference),
    scenarios: withLookedAt(selected),
    startedAt: new Date(now),
    // What changes all the time is not downloaded twice, and would be remembered for nothing.
    readers: life === undefined ? readers : cachingReaders(),
    // What fails once in process fails for a reason that no pause takes away.
    pauseFactor: 0.02,
    openMailbox: () => mail.open(new AddressBook(settings).addresses),
  });
  if (onEnd !== undefined) await run.preflight();
  await (until === undefined ? run.runAll() : playUntil(until, run, selected));
  if (onEnd !== undefined) {
    await run.putBack();
    onEnd(run.exchanges);
  }
  const results = run.results();
  // Whatever a service does, what was observed of it has the form that its clause declares.
  if (!isResults(results)) throw new Error(ajv.errorsText(isResults.errors));
  return results;
}

async function playUntil(
  wanted: NonNullable<ProofOptions['until']>,
  run: ContractRun,
  scenarios: readonly AnyScenario[],
): Promise<void> {
  const violated = new Set<ClauseId>();
  for (const one of scenarios) {
    const all = await Promise.all(withLookedAt([one]).map((each) => run.conclusionsOf(each)));
    for (const [id, { kind }] of all.flatMap((found) => [...found])) {
      if (kind === 'violated') violated.add(id);
    }
    const isFound =
      typeof wanted === 'string' ? violated.size > 0 : wanted.every((id) => violated.has(id));
    if (isFound) return;
  }
}

/** Hands requests to the service's own function: what sockets would do, and no more. */
export function inProcess(reference: Pick<Reference, 'handle'>): Transport {
  return async ({ method, url, headers, body = '', route }) => {
    const { host, pathname, search } = new URL(url);
    const request = {
      method,
      target: pathname + search,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body,
      remoteAddress: route === 'blocked' ? '127.0.0.2' : '127.0.0.1',
      region: host === new URL(own).host ? 'own' : 'other',
    } as const;
    const isExport = pathname.endsWith('/events/export');
    const handle = () => reference.handle(request);
    // Files are made in many turns of the event loop.
    const response = await (isExport ? timeless(handle) : handle());
    await pause(wayMs);
    return {
      status: response.status,
      headers: Object.entries(response.headers),
      body: pieces(response.body),
    };
  };
}

async function* pieces(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  if (typeof body === 'string') yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}
