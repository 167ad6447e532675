import type { Task } from '../../schemas/task.ts';

/** Picks ids from the free tasks; undefined where it must wait until more are free. */
type Choose = (free: readonly string[]) => readonly string[] | undefined;

/** The entity and the assessment of a task; undefined where they are not known yet. */
type Belongings = (id: string) => Pick<Task, 'entity_id' | 'assessment_id'> | undefined;

/** What two tasks have in common: their entity, or their assessment and not their entity. */
export type Relation = 'entity' | 'assessment';

/** Gives out the configured tasks, by id, so that two scenarios never hold the same one. */
export class TaskPool {
  readonly ids: readonly string[];
  readonly #of: Belongings;
  #free: readonly string[];
  readonly #waiting: { choose: Choose; take: (ids: readonly string[]) => void }[] = [];
  #isShared = false;

  constructor(taskIds: readonly string[], of: Belongings) {
    this.ids = taskIds;
    this.#of = of;
    this.#free = taskIds;
  }

  /**
   * Takes several tasks at once: if they were taken one by one, two scenarios could wait for each other for ever.
   * @param used tasks that are taken only where there are not enough others
   */
  take(count: number, used: readonly string[] = []): Promise<readonly string[]> {
    const fits = this.#mayBeTaken(count, used);
    return this.#takeChosen((free) => {
      const chosen = free.filter(fits).slice(0, count);
      return chosen.length < count ? undefined : chosen;
    });
  }

  /** Takes two tasks that are related; where no two free ones are known to be, any two. @param used as for `take` */
  takeTwo(relation: Relation, used: readonly string[] = []): Promise<readonly string[]> {
    const fits = this.#mayBeTaken(2, used);
    return this.#takeChosen((free) => {
      const related = pairsOf(free).find(([one, other]) => this.#areRelated(one, other, relation));
      return related ?? pairsOf(free.filter(fits))[0];
    });
  }

  /** Takes every task as soon as all are free, so that its scenario is alone; after `share`, one task is enough. */
  takeAll(): Promise<readonly string[]> {
    return this.#takeChosen((free) => {
      if (this.#isShared) return free.length > 0 ? free.slice(0, 1) : undefined;
      return free.length === this.ids.length ? free : undefined;
    });
  }

  /** From now on no scenario needs to be alone, nor do those that wait for it already. */
  share(): void {
    this.#isShared = true;
    this.#serve();
  }

  giveBack(ids: readonly string[]): void {
    this.#free = [...this.#free, ...ids];
    this.#serve();
  }

  #areRelated(one: string, other: string, relation: Relation): boolean {
    const [first, second] = [this.#of(one), this.#of(other)];
    const isSame = (field: 'entity_id' | 'assessment_id'): boolean =>
      typeof first?.[field] === 'string' && first[field] === second?.[field];
    return relation === 'entity'
      ? isSame('entity_id')
      : isSame('assessment_id') && !isSame('entity_id');
  }

  /** Which tasks may be taken: those that were not used, or all where there are not enough of these. */
  #mayBeTaken(count: number, used: readonly string[]): (id: string) => boolean {
    const isOther = (id: string): boolean => !used.includes(id);
    return this.ids.filter(isOther).length < count ? () => true : isOther;
  }

  #takeChosen(choose: Choose): Promise<readonly string[]> {
    return new Promise((take) => {
      this.#waiting.push({ choose, take });
      this.#serve();
    });
  }

  /** Serves waiting scenarios in their order: one that needs two tasks is not passed over for ever. */
  #serve(): void {
    for (;;) {
      const [next] = this.#waiting;
      const ids = next?.choose(this.#free);
      if (next === undefined || ids === undefined) return;
      this.#waiting.shift();
      this.#free = this.#free.filter((id) => !ids.includes(id));
      next.take(ids);
    }
  }
}

function pairsOf(ids: readonly string[]): [string, string][] {
  return ids.flatMap((one, index) =>
    ids.slice(index + 1).map((other): [string, string] => [one, other]),
  );
}
