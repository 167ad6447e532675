import type { TaskRecord } from '../records.ts';

/** The versions of a task, written as answers write them. */
export interface Versions {
  readonly current: string;
  /** From the first one to the one before the current. */
  readonly earlier: readonly string[];
}

/** What the body of a write asks for. */
type Asked = 'update' | 'unassign';

/** Optimistic concurrency (Versioning; Errors: 409). */
export const versionRules = {
  /** If-Match is required; the document does not say what a write without it gets. A status refuses the write. */
  ifMatchProblem: (header: string | undefined): 'none' | number =>
    header === undefined ? 428 : 'none',
  /** The document does not say whether the version may be quoted: the version that the header names. */
  versionInIfMatch: (header: string): string => header,
  /** The document does not say what `If-Match: *` does: whether it matches any version. */
  starMatches: (): boolean => false,
  /** The write is carried out when If-Match equals the task's current updated_at; `change` is what the body asks for. */
  versionMatches: (given: string, { current }: Versions, _change: Asked | undefined): boolean =>
    given === current,
  /** updated_at changes when the task changes: the new one, in milliseconds, always later than the previous. */
  newVersion(previous: number, now: number, written: (at: number) => string): number {
    const next = Math.max(now, previous + 1);
    // Without milliseconds, neighbouring instants are written alike.
    const differs = written(next) !== written(previous);
    return differs ? next : previous + 1000;
  },
  /** Time between the comparison and the write, in which other requests are served. */
  beforeWriting: (): Promise<void> => Promise.resolve(),
  /** Of simultaneous writes with the same right version one wins: a task that changed since it was compared is not written. */
  isStillTheSame: (compared: TaskRecord, current: TaskRecord, _change: Asked): boolean =>
    compared === current,
};
