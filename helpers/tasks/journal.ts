import type { Task } from '../../schemas/task.ts';

/** Remembers, before the first write to a task, what was there, so that it can be put back. */
export interface Journal {
  /** Must have reached the disk when the promise resolves. Called before every write, keeps the first. */
  remember(task: Task): Promise<void>;
}

/** For targets that are thrown away after the run. */
export const noJournal: Journal = { remember: async () => {} };
