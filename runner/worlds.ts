import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { faker } from '@faker-js/faker/locale/en';
import { Api, type Assignee } from '../helpers/api.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { Downloads, type FileReaders } from '../helpers/exports/downloads.ts';
import { Exports } from '../helpers/exports/exports.ts';
import { type Knowledge, learn } from '../helpers/exports/learn.ts';
import type { FilterSet } from '../helpers/exports/query.ts';
import type { Client } from '../helpers/http/client.ts';
import { AddressBook, teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import type { MailWatch } from '../helpers/mail/mail-watch.ts';
import type { Journal } from '../helpers/tasks/journal.ts';
import { Tasks } from '../helpers/tasks/leases.ts';
import { TaskPool } from '../helpers/tasks/task-pool.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Task } from '../schemas/task.ts';
import type { OpenedWorld } from './run-scenario.ts';
import type { AnyScenario } from './scenario.ts';
import type { Mail, World } from './world.ts';

/** Under this name the requests are recorded that find out what exports are made of. */
const learning = 'learning what an export is made of';

export interface WorldParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly readers: FileReaders;
  readonly mailWatch: MailWatch;
  /** Resolves when no scenario is under way that does not wait for this too. */
  readonly othersAreDone: (scenario: AnyScenario) => Promise<void>;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes the worlds in which scenarios are run, and holds what they share: tasks, downloads, what was learned. */
export class Worlds {
  readonly #parts: WorldParts;
  readonly #pool: TaskPool;
  readonly #shared: Downloads;
  readonly #mail: Mail;
  readonly #begun = new Set<string>();
  /** The tasks that the runs of a scenario have used, by its name. */
  readonly #used = new Map<string, readonly string[]>();
  #knowledge: Promise<Knowledge> | undefined;

  constructor(parts: WorldParts) {
    this.#parts = parts;
    this.#pool = new TaskPool(parts.settings.taskIds);
    this.#mail = {
      watch: parts.mailWatch,
      book: new AddressBook(parts.settings),
      users: usersWithEmail(parts.settings),
      teams: teamsWithEmail(parts.settings),
    };
    this.#shared = new Downloads(this.#api(learning), parts.readers);
  }

  /** The world of one run of a scenario. */
  open(scenario: AnyScenario): OpenedWorld {
    const { settings, journal } = this.#parts;
    const { assignedById: actor = '', userIds, teamIds } = settings;
    const api = this.#api(scenario.name);
    const used = this.#used.get(scenario.name) ?? [];
    const { readSettleMs: settleMs } = settings;
    const tasks = new Tasks(this.#pool, journal, api, { actor, settleMs, used });
    const user = assignee('USER', userIds);
    const team = assignee('TEAM', teamIds);
    const world: World = {
      api,
      tasks,
      mayWrite: settings.writes,
      taskIds: settings.taskIds,
      assessmentIds: settings.assessmentIds,
      user,
      anotherUser: (task) => user(sameId(task.assignment?.assigned_to_id, user().id) ? 1 : 0),
      team,
      teamOrUser: () => (teamIds.length > 0 ? team() : user()),
      actor,
      exports: this.#exports(scenario, api),
      mail: this.#mail,
      auditTimeoutMs: settings.auditTimeoutMs,
      othersAreDone: async () => {
        tasks.giveBack();
        await this.#parts.othersAreDone(scenario);
      },
      maxCombinations: settings.maxExportCombinations,
      key: settings.apiKey,
      now: this.#parts.now,
      faker: fakerOf(settings.seed + hash(scenario.name)),
    };
    return {
      world,
      disturbance: async (exchanges) => journal.disturbanceIn(exchanges),
      close: async () => {
        this.#used.set(scenario.name, [...used, ...tasks.used]);
        tasks.giveBack();
      },
    };
  }

  /** What was learned of the exports, once for all scenarios. @throws Inconclusive where they cannot be read */
  learned(): Promise<Knowledge> {
    return this.#learned();
  }

  #api(scenario: string): Api {
    const { client, settings, journal } = this.#parts;
    const addresses = {
      baseUrl: settings.target.baseUrl,
      otherRegionUrl: settings.wrongRegionUrl,
    };
    return new Api(client, addresses, settings.apiKey, scenario, journal);
  }

  /** The first run of every scenario shares its downloads; a second one has its own. */
  #exports({ name }: AnyScenario, api: Api): Exports {
    const isFirst = !this.#begun.has(name);
    this.#begun.add(name);
    const downloads = isFirst ? this.#shared : new Downloads(api, this.#parts.readers);
    return new Exports(api, downloads, this.#learned);
  }

  readonly #learned = (): Promise<Knowledge> => {
    const { settings, now } = this.#parts;
    const api = this.#api(learning);
    this.#knowledge ??= learn({
      downloads: this.#shared,
      settings,
      records: () => recordsAtHand(api, settings),
      now: now(),
    }).catch((error: unknown) => {
      // Who asks again, learns again: the target may respond by then.
      this.#knowledge = undefined;
      throw error;
    });
    return this.#knowledge;
  };
}

/** Ids that audit events are likely to name: of a configured task and what it belongs to, and of users. */
async function recordsAtHand(api: Api, settings: Settings): Promise<FilterSet> {
  const { taskIds, assessmentIds, assignedById, userIds } = settings;
  const [taskId] = taskIds;
  const object = taskId === undefined ? undefined : (await api.task(taskId)).object;
  const of = (field: keyof Task): string[] => {
    const value = object?.[field];
    return typeof value === 'string' ? [value] : [];
  };
  return {
    auditee_id: [...(assignedById === undefined ? [] : [assignedById]), ...userIds.slice(0, 2)],
    'metadata[task_id]': taskIds.slice(0, 2),
    'metadata[entity_id]': of('entity_id'),
    'metadata[assessment_id]': [...of('assessment_id'), ...assessmentIds.slice(0, 1)],
    'metadata[workflow_instance_id]': of('workflow_instance_id'),
    'metadata[workflow_step]': of('step_name'),
  };
}

function assignee(type: Assignee['type'], ids: readonly string[]): (rank?: number) => Assignee {
  return (rank = 0) => {
    const id = ids[rank];
    if (id === undefined)
      throw new Error(`A scenario asks for more ${type} ids than it says it needs.`);
    return { type, id };
  };
}

/**
 * Made from the English instance: the package's own entry reads seventy languages, which takes longer than the rest
 * of a start.
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
