import { base, en, Faker } from '@faker-js/faker';
import type { AssessmentRecord, AuditEvent, TaskRecord } from './records.ts';
import type { World } from './world.ts';

/** What operations look up, and what they keep. */
export type Storage = Pick<Store, keyof Store>;

/** What one instance of the service keeps, in memory. Records are never changed, only replaced. */
export class Store {
  /** By their ids. */
  readonly tasks: Map<string, TaskRecord>;
  readonly assessments: Map<string, AssessmentRecord>;
  /** The events of this instance, in the order in which they became visible. */
  readonly events: AuditEvent[] = [];
  readonly #earlierVersions = new Map<string, number[]>();
  readonly #faker = new Faker({ locale: [en, base] });

  /** @param seed of the ids of events, which are to be others than those of the world of this seed */
  constructor({ tasks, assessments }: Pick<World, 'tasks' | 'assessments'>, seed: number) {
    this.#faker.seed([seed, 1]);
    this.tasks = new Map(tasks.map((task) => [task.id, task]));
    this.assessments = new Map(assessments.map((assessment) => [assessment.id, assessment]));
  }

  /** The versions that the task had before its current one, from the first on, in milliseconds. */
  earlierVersions(taskId: string): readonly number[] {
    return this.#earlierVersions.get(taskId) ?? [];
  }

  replaceTask(task: TaskRecord): void {
    const earlier = this.tasks.get(task.id);
    if (earlier !== undefined && earlier.updated_at !== task.updated_at) {
      const versions = this.#earlierVersions.get(task.id) ?? [];
      this.#earlierVersions.set(task.id, [...versions, earlier.updated_at]);
    }
    this.tasks.set(task.id, task);
  }

  replaceAssessment(assessment: AssessmentRecord): void {
    this.assessments.set(assessment.id, assessment);
  }

  record(event: Omit<AuditEvent, 'id'>): void {
    this.events.push({ id: this.#faker.string.uuid(), ...event });
  }
}
