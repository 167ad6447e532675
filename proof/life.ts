import { base, en, Faker } from '@faker-js/faker';
import type { Service } from '../reference/operations/service.ts';
import type { AuditEvent, TaskRecord } from '../reference/records.ts';
import type { Handle } from '../reference/reference.ts';
import type { ServiceRequest, ServiceResponse } from '../reference/request.ts';
import { answerRequest } from '../reference/router.ts';
import type { Storage } from '../reference/store.ts';
import type { UpdateAssignment } from '../schemas/resources.ts';
import type { Motion, Region } from './motions.ts';

/** How often things change and how late, counted in requests to the service, or in milliseconds of its clock. */
export interface Pace {
  readonly unit: 'requests' | 'milliseconds';
  /** What happens now and then happens once in so many, on the average; 1: between any two requests. */
  readonly every: number;
  /** What follows on a write follows so many later, and what lags behind lags by so many. */
  readonly lag: number;
}

export interface Life {
  readonly motions: readonly Motion[];
  readonly pace: Pace;
  /** Seed of what happens, and when. */
  readonly seed: number;
}

/** How a service answers that changes while it is used: for `createReference`. */
export function living(life: Life): (service: Service) => Handle {
  return (service) => {
    const changing = new LivingService(service, life);
    return (request) => changing.answer(request);
  };
}

class LivingService {
  readonly #service: Service;
  readonly #pace: Pace;
  /** In the unit of the pace. */
  readonly #now: () => number;
  readonly #region: Region;
  readonly #nowAndThen: { readonly motion: MotionOf<'now and then'>; due: number }[];
  readonly #onRead: readonly MotionOf<'a task is read'>[];
  readonly #afterWrite: readonly MotionOf<'after a write'>[];
  /** What is still to follow on writes. */
  #following: { readonly due: number; readonly follow: () => void }[] = [];
  /** What reads and exports see, where that lags behind. */
  readonly #tasks: History<Map<string, TaskRecord>> | undefined;
  readonly #events: History<AllEvents> | undefined;
  #requests = 0;
  #writesUnderWay = 0;

  constructor(service: Service, { motions, pace, seed }: Life) {
    this.#now = pace.unit === 'requests' ? () => this.#requests : service.clock;
    this.#service = { ...service, clock: withGaps(service.clock, fakerOf(seed)) };
    this.#pace = pace;
    this.#region = regionOf(this.#service, fakerOf(seed));
    this.#nowAndThen = motions
      .filter((motion) => motion.when === 'now and then')
      .map((motion) => ({ motion, due: this.#nextTime() }));
    this.#onRead = motions.filter((motion) => motion.when === 'a task is read');
    this.#afterWrite = motions.filter((motion) => motion.when === 'after a write');
    const lagging = motions.flatMap((motion) => (motion.when === 'always' ? [motion.lagging] : []));
    this.#tasks = lagging.includes('tasks') ? new History(pace.lag) : undefined;
    this.#events = lagging.includes('events') ? new History(pace.lag) : undefined;
    this.#note();
  }

  /**
   * Answers a request. What is due is done when the next request comes, before it is answered: nobody could see the
   * difference. With a pace of requests, the same requests are answered alike.
   */
  async answer(request: ServiceRequest): Promise<ServiceResponse> {
    this.#requests += 1;
    await this.#moveOn();
    this.#note();
    const past = this.#events?.asOf(this.#now())?.past;
    const writes = request.method === 'PUT' ? 1 : 0;
    this.#writesUnderWay += writes;
    try {
      return await answerRequest(request, {
        ...this.#service,
        store: this.#storageOf(request),
        pastEvents: () => past ?? this.#region.pastEvents,
      });
    } finally {
      this.#writesUnderWay -= writes;
      this.#note();
    }
  }

  #nextTime(): number {
    return this.#now() + this.#region.faker.number.int({ min: 1, max: 2 * this.#pace.every - 1 });
  }

  /** Between the check of a write and the write itself nothing happens: the service would take it for another write. */
  async #moveOn(): Promise<void> {
    if (this.#writesUnderWay > 0) return;
    const now = this.#now();
    const due = this.#following.filter((one) => one.due <= now);
    this.#following = this.#following.filter((one) => one.due > now);
    for (const { follow } of due) follow();
    const happening = this.#nowAndThen.filter((one) => one.due <= now);
    for (const one of happening) one.due = this.#nextTime();
    await Promise.all(happening.map(({ motion }) => motion.change(this.#region)));
  }

  /** Keeps what is stored now, for those who see it later. */
  #note(): void {
    const { store } = this.#service;
    const now = this.#now();
    this.#tasks?.note(now, new Map(store.tasks));
    this.#events?.note(now, { past: this.#region.pastEvents, recorded: store.events.length });
  }

  /** What a request finds, and what it sets off. */
  #storageOf({ method }: ServiceRequest): Storage {
    const { store } = this.#service;
    const isRead = method === 'GET';
    const found = (isRead ? this.#tasks?.asOf(this.#now()) : undefined) ?? store.tasks;
    return {
      tasks: found,
      assessments: store.assessments,
      events: store.events.slice(0, this.#events?.asOf(this.#now())?.recorded),
      earlierVersions: (id) => store.earlierVersions(id),
      replaceAssessment: (assessment) => store.replaceAssessment(assessment),
      record: (event) => store.record(event),
      replaceTask: (task) => {
        // What was found may be older than what is stored: unchanged, it is not to be stored again.
        const isChanged = task !== found.get(task.id);
        if (isChanged) store.replaceTask(task);
        if (isRead && this.#writesUnderWay === 0) this.#follow(this.#onRead, task.id);
        if (!isRead && isChanged) this.#followLater(task.id);
      },
    };
  }

  #followLater(taskId: string): void {
    const follow = (): void => this.#follow(this.#afterWrite, taskId);
    this.#following.push({ due: this.#now() + this.#pace.lag, follow });
  }

  #follow(motions: readonly MotionOf<'a task is read' | 'after a write'>[], taskId: string): void {
    for (const { change } of motions) {
      const task = this.#service.store.tasks.get(taskId);
      if (task !== undefined) change(this.#region, task);
    }
  }
}

type MotionOf<When> = Extract<Motion, { readonly when: When }>;

const fakerOf = (seed: number): Faker => new Faker({ locale: [en, base], seed });

/**
 * A clock of whole milliseconds that never tells the same time twice, nor neighbouring ones: a run in process takes so little time
 * that versions would be alike which are hours apart in a region.
 */
function withGaps(clock: () => number, faker: Faker): () => number {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.ceil(Math.max(clock(), last + faker.number.int({ min: 2, max: 9 })));
    return last;
  };
}

function regionOf(service: Service, faker: Faker): Region {
  let past: readonly AuditEvent[] | undefined;
  return {
    ...service,
    faker,
    get pastEvents() {
      past ??= service.pastEvents();
      return past;
    },
    set pastEvents(events) {
      past = events;
    },
    async write(task, body) {
      await answerRequest(requestOfColleague(task, body, service), service);
    },
  };
}

interface AllEvents {
  readonly past: readonly AuditEvent[];
  /** How many of those of this instance there are. */
  readonly recorded: number;
}

/** What a value was a while ago. */
class History<Value> {
  readonly #lag: number;
  #kept: { readonly at: number; readonly value: Value }[] = [];

  constructor(lag: number) {
    this.#lag = lag;
  }

  note(at: number, value: Value): void {
    this.#kept.push({ at, value });
  }

  /** What the value was when the lag began, or at first; undefined where nothing was noted. */
  asOf(now: number): Value | undefined {
    const index = this.#kept.findLastIndex(({ at }) => at <= now - this.#lag);
    if (index > 0) this.#kept.splice(0, index);
    return this.#kept[0]?.value;
  }
}

/** A write to a task by another caller of the service. */
function requestOfColleague(
  task: TaskRecord,
  body: UpdateAssignment,
  { apiKey, allowedAddresses: [remoteAddress = ''], rules }: Service,
): ServiceRequest {
  return {
    method: 'PUT',
    target: `/v5/tasks/${task.id}/update-assignment`,
    headers: {
      apikey: apiKey,
      'if-match': rules.timestamp(task.updated_at),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    remoteAddress,
    region: 'own',
  };
}
