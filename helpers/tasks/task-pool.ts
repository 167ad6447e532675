import type { Task } from '../../schemas/resources.ts';

/** The entity and the assessment of a task; undefined where they are not known yet. */
type Belongings = (id: string) => Pick<Task, 'entity_id' | 'assessment_id'> | undefined;

/** What two tasks have in common: their entity, or their assessment and not their entity. */
export type Relation = 'entity' | 'assessment';

/** Gives out the configured tasks, by id, so that two scenarios never hold the same one. */
export class TaskPool {
  readonly ids: readonly string[];
  readonly #of: Belongings;
  #free: readonly string[];
  /** For each scenario that waits: takes what it asks for, where that is free. */
  readonly #waiting: (() => readonly string[] | undefined)[] = [];
  #isShared = false;
  /** Relations of which two related tasks were taken. */
  readonly #met = new Set<Relation>();

  constructor(taskIds: readonly string[], of: Belongings) {
    this.ids = taskIds;
    this.#of = of;
    this.#free = taskIds;
  }

  /** Takes just these, as soon as they are free. */
  takeThese<Ids extends readonly string[]>(ids: Ids): Promise<Ids> {
    return this.#takeChosen((free) => (ids.every((id) => free.includes(id)) ? ids : undefined));
  }

  /** Takes a task. @param used tasks that are taken only where there are no others */
  take(used: readonly string[] = []): Promise<[string]> {
    const fits = this.#mayBeTaken(1, used);
    return this.#takeChosen((free) => {
      const id = free.find(fits);
      return id === undefined ? undefined : [id];
    });
  }

  /**
   * Takes two tasks that are related; where no two are known to be, any two, and later where no two free ones are. At once:
   * if they were taken one by one, two scenarios could wait for each other for ever.
   * @param used as for `take`
   */
  takeTwo(relation: Relation, used: readonly string[] = []): Promise<[string, string]> {
    const fits = this.#mayBeTaken(2, used);
    const relatedOf = (ids: readonly string[]) =>
      pairsOf(ids).find(([one, other]) => this.#areRelated(one, other, relation));
    return this.#takeChosen((free) => {
      const related = relatedOf(free);
      if (related) this.#met.add(relation);
      else if (!this.#met.has(relation) && relatedOf(this.ids)) return undefined;
      return related ?? pairsOf(free.filter(fits))[0];
    });
  }

  /** Takes every task as soon as all are free, so that its scenario is alone; after `share`, one task is enough. */
  takeAll(): Promise<[string, ...string[]]> {
    return this.#takeChosen(([first, ...others]) => {
      if (first === undefined) return undefined;
      if (this.#isShared) return [first];
      return others.length + 1 === this.ids.length ? [first, ...others] : undefined;
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

  /** @param choose picks ids from the free tasks; undefined where it must wait until more are free */
  #takeChosen<Ids extends readonly string[]>(
    choose: (free: readonly string[]) => Ids | undefined,
  ): Promise<Ids> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        const ids = choose(this.#free);
        if (ids !== undefined) resolve(ids);
        return ids;
      });
      this.#serve();
    });
  }

  /** Serves waiting scenarios in their order: one that needs two tasks is not passed over for ever. */
  #serve(): void {
    for (;;) {
      const ids = this.#waiting[0]?.();
      if (ids === undefined) return;
      this.#waiting.shift();
      this.#free = this.#free.filter((id) => !ids.includes(id));
    }
  }
}

function pairsOf(ids: readonly string[]): [string, string][] {
  return ids.flatMap((one, index) =>
    ids.slice(index + 1).map((other): [string, string] => [one, other]),
  );
}
