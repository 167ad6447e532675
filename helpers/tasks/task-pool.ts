import type { Task } from '../../schemas/task.ts';

/** Picks ids from the free tasks; undefined where it must wait until more are free. */
type Choose = (free: readonly string[]) => readonly string[] | undefined;

/** The entity and the assessment of a task; undefined where they are not known yet. */
type Belongings = (id: string) => Pick<Task, 'entity_id' | 'assessment_id'> | undefined;

/** Gives out the configured tasks, by id, so that two scenarios never hold the same one. */
export class TaskPool {
  readonly ids: readonly string[];
  readonly #of: Belongings;
  #free: readonly string[];
  readonly #waiting: { choose: Choose; take: (ids: readonly string[]) => void }[] = [];
  /** Tasks that `takeRecorded` gave. */
  readonly #recorded = new Set<string>();
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

  /**
   * Takes a task whose audit events are to be looked at: first one with a neighbour that was changed before, then one
   * with a neighbour that this method gave, then one with any. Neighbours: of the same assessment, of another entity.
   */
  takeRecorded(
    hasChangedFirst: (one: string, other: string) => boolean,
    used: readonly string[],
  ): Promise<readonly string[]> {
    const fits = this.#mayBeTaken(1, used);
    const isNextTo = (isMeant: (neighbour: string, id: string) => boolean) => (id: string) =>
      this.#neighboursOf(id).some((neighbour) => isMeant(neighbour, id));
    const kinds = [
      isNextTo(hasChangedFirst),
      isNextTo((neighbour) => this.#recorded.has(neighbour)),
      isNextTo(() => true),
      () => true,
    ];
    return this.#takeChosen((free) => {
      const [id] = kinds.flatMap((isOfKind) => free.filter(fits).find(isOfKind) ?? []);
      if (id === undefined) return undefined;
      this.#recorded.add(id);
      return [id];
    });
  }

  /** Takes two tasks of the same entity; where no two free ones are known to be, any two. @param used as for `take` */
  takeTwo(used: readonly string[] = []): Promise<readonly string[]> {
    const fits = this.#mayBeTaken(2, used);
    return this.#takeChosen((free) => {
      const related = pairsOf(free).find(([one, other]) => this.#areRelated(one, other));
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

  /** The tasks that are known to be of the same assessment and of another entity. */
  #neighboursOf(id: string): readonly string[] {
    const { assessment_id, entity_id } = this.#of(id) ?? {};
    if (typeof assessment_id !== 'string') return [];
    return this.ids.filter((other) => {
      const seen = this.#of(other);
      return seen?.assessment_id === assessment_id && seen.entity_id !== entity_id;
    });
  }

  #areRelated(one: string, other: string): boolean {
    const entity = this.#of(one)?.entity_id;
    return typeof entity === 'string' && entity === this.#of(other)?.entity_id;
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
