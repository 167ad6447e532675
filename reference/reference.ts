import type { Service } from './operations/service.ts';
import { pastEvents } from './past-events.ts';
import type { ServiceRequest, ServiceResponse } from './request.ts';
import { answerRequest } from './router.ts';
import type { Email } from './rules/notification.ts';
import { defaultRules, type Rules } from './rules.ts';
import { Store } from './store.ts';
import { createWorld, idsOf, type World } from './world.ts';

export type Handle = (request: ServiceRequest) => Promise<ServiceResponse>;

export interface ReferenceOptions {
  /** Seed of everything random: the same one makes the same key, ids and records. */
  readonly seed: number;
  /** Rules that take the place of the default ones. */
  readonly rules?: Partial<Rules>;
  /** How many audit events there were before; 12,000 where it is left out. */
  readonly pastEvents?: number;
  /** Milliseconds since 1970, UTC; the real time where it is left out. */
  readonly clock?: () => number;
  /** Sends an email; without it, email is discarded. */
  readonly post?: (email: Email) => void;
  /** Stands between the requests and the service: for what no rule can change. */
  readonly wire?: (handle: Handle) => Handle;
  /** Answers requests with these records and rules; `answerRequest` does where it is left out. */
  readonly answering?: (service: Service) => Handle;
}

/** What a caller needs to know to use the service: the values of the configuration of a run. */
export type Facts = Readonly<ReturnType<typeof factsOf>>;

/** One instance of the service, with records of its own. */
export interface Reference {
  handle(request: ServiceRequest): Promise<ServiceResponse>;
  readonly facts: Facts;
}

const hour = 60 * 60 * 1000;

/** The addresses on the allow list: the two of this machine that clients use by default. */
const allowedAddresses = ['127.0.0.1', '::1'];

/** Makes a conformant service of the document, fresh and in memory; replaced rules make it another one. */
export function createReference(options: ReferenceOptions): Reference {
  const { seed, pastEvents: count = 12_000, clock = Date.now, wire = (handle) => handle } = options;
  const { answering = (own) => (request) => answerRequest(request, own) } = options;
  const rules = { ...defaultRules, ...options.rules };
  const seeded = createWorld(seed, clock(), rules.identifier);
  const world = { ...seeded, apiKey: rules.apiKey(seeded.apiKey) };
  const store = new Store(world, seed);
  // They end some hours ago, on the hour: instances of one hour share them.
  const endsAt = Math.floor(clock() / hour) * hour - 3 * hour;
  const service: Service = {
    apiKey: world.apiKey,
    allowedAddresses,
    store,
    rules,
    directory: { users: [world.actor, world.otherActor, ...world.users], teams: world.teams },
    post: options.post ?? (() => {}),
    clock,
    pastEvents: () => pastEvents(seed, { world, endsAt, count }),
  };
  return { handle: wire(answering(service)), facts: factsOf(world) };
}

function factsOf({ apiKey, tasks, assessments, users, teams, actor, otherActor }: World) {
  return {
    apiKey,
    taskIds: idsOf(tasks),
    assessmentIds: idsOf(assessments),
    /** Whom tasks may be assigned to. */
    userIds: idsOf(users),
    teamIds: idsOf(teams),
    /** The address of each user, and those of the members of each team, by id. */
    userEmails: Object.fromEntries(
      [actor, otherActor, ...users].map(({ id, address }) => [id, address]),
    ),
    teamEmails: Object.fromEntries(
      teams.map(({ id, members }) => [id, members.map(({ address }) => address)]),
    ),
    /** Users in whose name assignments are made; the first made those that there are. */
    actorIds: [actor.id, otherActor.id] as const,
  };
}
