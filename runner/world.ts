import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker } from '@faker-js/faker/locale/en';
import { Api, type Assignee } from '../helpers/api.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { Downloads, type FileReaders } from '../helpers/exports/downloads.ts';
import { Exports, type Moved } from '../helpers/exports/exports.ts';
import { type LearnedExports, Learning } from '../helpers/exports/learn.ts';
import type { FilterSet } from '../helpers/exports/query.ts';
import { Readings } from '../helpers/exports/readings.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Client } from '../helpers/http/client.ts';
import { type Exchange, nameOfLearning } from '../helpers/http/exchange.ts';
import { AddressBook, teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import type { MailWatch } from '../helpers/mail/mail-watch.ts';
import { Memory, remembered } from '../helpers/maps.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import type { Journal } from '../helpers/tasks/journal.ts';
import { Tasks } from '../helpers/tasks/leases.ts';
import { TaskPool } from '../helpers/tasks/task-pool.ts';
import { sameId, type Task } from '../schemas/resources.ts';
import type { Pairs, UnusableValue, ViolationResult } from '../schemas/results.ts';
import { lacksOf } from './needs.ts';
import type { AnyScenario } from './scenario.ts';
import type { Alone, Turns } from './turns.ts';
import { refusalsBecauseOf, refusedAssignees, withoutUnusable } from './unusable.ts';

/** What all scenarios of a run have sent and found so far: for clauses that hold for every answer. */
export interface SoFar {
  /** The address that valid requests go to. */
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  readonly violations: readonly ViolationResult[];
}

/** The world of one attempt at a scenario, and what is asked of it when the scenario has been judged. */
export type OpenedWorld = Readonly<Awaited<ReturnType<Worlds['open']>>>;

/** What `act` is given to talk to the target with. It belongs to one run of one scenario. */
export type World = Readonly<OpenedWorld['world']>;

/** How long scenarios whose exports changed share what was learned of them anew, in milliseconds. */
const maxAgeMs = 30_000;

interface WorldParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly readers: FileReaders;
  readonly mailWatch: MailWatch;
  readonly soFar: () => SoFar;
  readonly notePairs: (scenario: AnyScenario, pairs: Pairs) => void;
  readonly turns: Turns;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** The first reads of assessments in a run, by id. After one that failed, another scenario may get its response. */
const assessments = new Memory<Worlds, string, Promise<Answer>>();

/** Makes the worlds in which scenarios are run, and holds what they share: tasks, downloads, what was learned. */
export class Worlds {
  readonly #parts: WorldParts;
  readonly #pool: TaskPool;
  /** What learns of the exports for first attempts, and what does so for later ones. */
  readonly #learnings: readonly [Learning, Learning];
  /** The latest learning for scenarios whose exports changed. */
  #lately: Learning | undefined;
  readonly #addressBook: AddressBook;
  /** A user besides the actor in whose name the target takes assignments; resolves to undefined where there is none. */
  #deputy: Promise<string | undefined> | undefined;
  /** By the name of a scenario that has begun: the tasks that its attempts have used. */
  readonly #used = new Map<string, Set<string>>();

  constructor(parts: WorldParts) {
    this.#parts = parts;
    this.#pool = new TaskPool(parts.settings.taskIds, (id) => parts.journal.of(id).firstRead);
    this.#addressBook = new AddressBook(parts.settings);
    const first = this.#learning();
    this.#learnings = [first, this.#learning(first)];
  }

  /**
   * Opens the world of one attempt at a scenario.
   * @param moved the exports of the attempt before, where they changed: to read them anew is done by one scenario at a
   *   time, as in a short attempt less changes
   * @param onSameTasks whether it takes the tasks of the attempt before, and not others, if it can
   */
  async open(scenario: AnyScenario, moved?: Moved, onSameTasks = false) {
    if (moved && !moved.stoodStill) await this.#parts.turns.turnOf(scenario.name);
    const { journal } = this.#parts;
    const settings = this.#settingsFor(scenario);
    const { assignedByIds, userIds, teamIds } = settings;
    const [actor = ''] = assignedByIds;
    const api = this.#api(scenario.name);
    const isFirst = !this.#used.has(scenario.name);
    const used = remembered(this.#used, scenario.name, () => new Set());
    const { readSettleMs: settleMs } = settings;
    const tasks = new Tasks(this.#pool, journal, api, { actor, settleMs, used, onSameTasks });
    const user = assignee('USER', userIds);
    const exports = moved?.stoodStill ?? this.#exportsOf(isFirst, api, moved !== undefined);
    const world = {
      api,
      /** Leases tasks to the scenario, to write to. */
      tasks,
      /** Whether writes may be sent at all, even to tasks that do not exist. */
      mayWrite: settings.writes,
      /** The configured task ids, for reading only. */
      taskIds: settings.taskIds,
      assessmentIds: settings.assessmentIds,
      /** The answer to the first read of an assessment in the run; a further run of the scenario reads it anew. */
      assessment: (id: string) => {
        const read = () => api.assessment(id);
        return isFirst ? assessments.get(this, id, read) : read();
      },
      /** The configured user of this rank, from 0. A scenario names in `needs` how many it uses. */
      user,
      /** A configured user whom the task is not assigned to; the scenario needs two users. */
      anotherUser: (task: Task) => user(sameId(task.assignment?.assigned_to_id, user().id) ? 1 : 0),
      /** The configured team of this rank, from 0. */
      team: assignee('TEAM', teamIds),
      /** The id of the user in whose name assignments are made. */
      actor,
      /** The ids of all configured users in whose names assignments are made, the usual one first. */
      actors: assignedByIds,
      /**
       * Finds users in whose names tasks can be assigned: those of ASSIGNED_BY_ID; where none of two may get tasks, one of
       * the other users too, if the target accepts an assignment in that name, which is tried once in a run, with this task.
       * @returns their ids, the usual one first, and the task as it is now
       */
      findActors: (task: Task) => this.#findActors(task, tasks, settings),
      /** All configured assignees, as many as there are. */
      users: userIds.map((id): Assignee => ({ type: 'USER', id })),
      teams: teamIds.map((id): Assignee => ({ type: 'TEAM', id })),
      exports,
      /** The mailbox that is watched, and the addresses of users and teams; a scenario names in `needs` what it uses of it. */
      mail: {
        watch: this.#parts.mailWatch,
        book: this.#addressBook,
        /** The configured users whose addresses are known, no two of them the same. */
        users: usersWithEmail(settings),
        /** The configured teams whose members’ addresses are known. */
        teams: teamsWithEmail(settings),
      },
      /** How long a recorded event may take to appear in the export, in milliseconds. */
      auditTimeoutMs: settings.auditTimeoutMs,
      /**
       * Gives back the tasks, and waits until the other scenarios under way have ended: for what must come after all of them.
       * @param alone what it sends from then on: only who sends something else goes on beside it
       */
      othersAreDone: async (alone?: Alone) => {
        tasks.giveBack();
        await this.#parts.turns.othersAreDone(scenario.name, alone);
      },
      soFar: this.#parts.soFar,
      /** Notes how many pairs of parameters the scenario asks for together, and how many it could. */
      notePairs: (pairs: Pairs) => this.#parts.notePairs(scenario, pairs),
      /** The configured key, for making wrong ones from it. */
      key: settings.apiKey,
      /** The clock, in milliseconds since 1970. */
      now: this.#parts.now,
      /** A new mark, unlike all others. Every comment with room for a mark has one: it shows which writes are ours. */
      mark: () => journal.newMark(),
      /** Random values, from the seed of the run and the name of the scenario. */
      faker: fakerOf(settings.seed + hash(scenario.name)),
    };
    return {
      world,
      /**
       * Why these answers do not convict the target: somebody else changed what they show; undefined where nobody did.
       * @param numbers of the answers that a violation stands on
       */
      othersIn: (numbers: readonly number[]) =>
        journal.disturbanceIn(numbers) ?? this.#refusalIn(numbers, scenario),
      /** As `moved` of `Exports`. */
      moved: (standsOn: readonly number[], isViolated: boolean) =>
        exports.moved(standsOn, isViolated),
      close: () => tasks.giveBack(),
    };
  }

  async #findActors(task: Task, tasks: Tasks, { assignedByIds: actors, ...settings }: Settings) {
    const isUser = (id: string): boolean => settings.userIds.some((one) => sameId(one, id));
    if (actors.length > 1 && actors.some(isUser)) return { actors, task };
    const isFirst = this.#deputy === undefined;
    this.#deputy ??= deputyOf(actors, task, tasks, settings).catch((error: unknown) => {
      this.#deputy = undefined;
      throw error;
    });
    const deputy = await this.#deputy;
    return {
      actors: deputy === undefined ? actors : [...actors, deputy],
      task: isFirst ? await tasks.read(task.id) : task,
    };
  }

  #refused(): UnusableValue[] {
    const { settings, client } = this.#parts;
    return refusedAssignees(client.recorder.exchanges, settings);
  }

  /**
   * The settings without the users and teams that the target has refused so far; where the scenario needs these,
   * without those who may be the reason instead; where it needs both, all.
   */
  #settingsFor(scenario: AnyScenario, refused = this.#refused()): Settings {
    const { settings } = this.#parts;
    const avoidable = [refused, refused.flatMap(({ or = [] }) => or)].find(
      (ids) => ids.length > 0 && lacksOf(scenario, withoutUnusable(settings, ids)).length === 0,
    );
    return avoidable === undefined ? settings : withoutUnusable(settings, avoidable);
  }

  /** Set where one of these writes was refused because of whom it names, and the next run names somebody else. */
  #refusalIn(numbers: readonly number[], scenario: AnyScenario): Inconclusive | undefined {
    const { settings, client } = this.#parts;
    const refused = this.#refused();
    if (this.#settingsFor(scenario, refused) === settings) return undefined;
    const own = client.recorder.exchanges.filter(({ number }) => numbers.includes(number));
    const because = refusalsBecauseOf(refused, own, settings);
    if (because.length === 0) return undefined;
    return new Inconclusive('The target refuses whom this names.', because);
  }

  /** What was learned of the exports, once for all scenarios. @throws Inconclusive where they cannot be read */
  async learned(): Promise<LearnedExports> {
    const [learning] = this.#learnings;
    return { ...(await learning.knowledge()), areMany: await learning.areMany() };
  }

  #api(scenario: string): Api {
    const { client, settings, journal } = this.#parts;
    return new Api(client, settings, scenario, journal);
  }

  /**
   * The exports for an attempt that reads them anew. The first attempts at all scenarios share their downloads and what
   * was learned; later ones download for themselves, and share what was learned anew, of filters only where the window
   * has changed, or lately where exports change.
   */
  #exportsOf(isFirst: boolean, api: Api, haveMoved: boolean): Exports {
    const { readers, settings } = this.#parts;
    const [first, later] = this.#learnings;
    const shared = isFirst ? first : later;
    const learning = haveMoved ? this.#learnedLately() : shared;
    const own = new Downloads(api, readers);
    const source = isFirst ? learning.downloads : own;
    return new Exports(api, learning, new Readings(source, own, settings.readSettleMs));
  }

  /** A recent learning: of an older one more events have changed, which nobody judges; to learn takes time, too. */
  #learnedLately(): Learning {
    if (this.#lately === undefined || this.#lately.ageMs > maxAgeMs)
      this.#lately = this.#learning();
    return this.#lately;
  }

  #learning(before?: Learning): Learning {
    const { settings, now, readers } = this.#parts;
    const api = this.#api(nameOfLearning);
    const records = () => recordsAtHand(api, this.#parts);
    const start = () => ({ settings, records, now: now() });
    return new Learning(new Downloads(api, readers), start, before);
  }
}

/** Ids that audit events are likely to name, by filter: of tasks and of what the first belongs to, and of users. */
async function recordsAtHand(
  api: Api,
  { settings, journal }: Pick<WorldParts, 'settings' | 'journal'>,
): Promise<FilterSet> {
  const { taskIds, assessmentIds, assignedByIds, userIds } = settings;
  const [taskId] = taskIds;
  const read = taskId === undefined ? undefined : journal.of(taskId).firstRead;
  const task = read ?? (taskId === undefined ? undefined : (await api.task(taskId)).object);
  const fieldOfTask = (field: keyof Task): string[] => {
    const value = task?.[field];
    return typeof value === 'string' ? [value] : [];
  };
  return {
    auditee_id: [...assignedByIds.slice(0, 1), ...userIds.slice(0, 2)],
    'metadata[task_id]': taskIds.slice(0, 2),
    'metadata[entity_id]': fieldOfTask('entity_id'),
    'metadata[assessment_id]': [...fieldOfTask('assessment_id'), ...assessmentIds.slice(0, 1)],
    'metadata[workflow_instance_id]': fieldOfTask('workflow_instance_id'),
    'metadata[workflow_step]': fieldOfTask('step_name'),
  };
}

/** Gives the assignee of a rank, from 0, of these configured ids. */
function assignee(type: Assignee['type'], ids: readonly string[]): (rank?: number) => Assignee {
  return (rank = 0) => {
    const id = ids[rank];
    if (id === undefined)
      throw new Error(`A scenario asks for more ${type} ids than it says it needs.`);
    return { type, id };
  };
}

/** How many users are tried as actors: a target that refuses both is taken to accept no user. */
const maxDeputies = 2;

/**
 * The first user besides the actors in whose name the target both assigns and unassigns; undefined where there is none.
 * All assign to the first user, who is none of them: a service may refuse that somebody assigns to themselves.
 */
async function deputyOf(
  actors: readonly string[],
  task: Task,
  tasks: Tasks,
  { userIds }: Pick<Settings, 'userIds'>,
): Promise<string | undefined> {
  const [id = '', ...others] = userIds;
  const candidates = others.filter((one) => ![...actors, id].some((known) => sameId(known, one)));
  for (const by of candidates.slice(0, maxDeputies)) {
    const { answer } = await tasks.assign(
      await tasks.lately(task.id),
      { type: 'USER', id },
      { by },
    );
    if (!answer.succeeded) continue;
    const unassigned = await tasks.assign(await tasks.read(task.id), null, { by });
    if (unassigned.answer.succeeded) return by;
  }
  return undefined;
}

/**
 * A source of random values, made from the English instance: the package's own entry reads seventy languages, which
 * takes longer than the rest of a start.
 */
function fakerOf(seed: number): Faker {
  // `constructor` is the class of the instance, which its type does not tell.
  const English = faker.constructor as new (options: {
    locale: LocaleDefinition;
    seed: number;
  }) => Faker;
  return new English({ locale: faker.rawDefinitions, seed });
}

/** A number from a text, the same on every machine. */
function hash(text: string): number {
  let value = 0;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}
