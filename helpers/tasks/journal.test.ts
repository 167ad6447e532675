import { describe, expect, test } from 'vitest';
import type { Task } from '../../schemas/resources.ts';
import { bodyThatAssigns } from '../api.ts';
import { Answer } from '../http/answer.ts';
import { exchange } from '../http/exchange.fixture.ts';
import { inVirtualTime } from '../http/virtual-time.fixture.ts';
import { pause } from '../http/waiting.ts';
import { Journal } from './journal.ts';
import type { AssignmentFields } from './task-answer.ts';

const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const ours = { assigned_by_id: 'by', assigned_to_id: 'one', assigned_to_type: 'USER' } as const;
const theirs = { ...ours, assigned_to_id: 'two', assignment_comment: 'by somebody else' };
const write = JSON.stringify(
  bodyThatAssigns({ type: 'USER', id: 'one' }, { by: 'by', comment: 'c' }),
);

const version = (count: number): string => `2026-01-01T00:00:00.00${count}Z`;
let exchanges = 0;
const numbered = (status: number, body = ''): Answer => {
  exchanges += 1;
  return new Answer({ ...exchange, number: exchanges }, status, [], new TextEncoder().encode(body));
};
const shows = (count: number, assignment: AssignmentFields | null, more = {}): Answer =>
  numbered(200, JSON.stringify({ id, updated_at: version(count), assignment, ...more }));
// The journal looks at no other field of a task.
const asTask = (answer: Answer): Task => answer.object as unknown as Task;

/** A journal that remembers the task, in its first version, assigned to nobody. */
async function journalOf(): Promise<Journal> {
  const journal = new Journal();
  await journal.of(id).remember(asTask(shows(1, null)));
  return journal;
}

/** How an answer to a read shows that somebody else changed the task. */
function disturbanceIn(journal: Journal, answer: Answer) {
  journal.of(id).afterRead(answer);
  return journal.disturbanceIn([answer.exchange.number]);
}

describe('a task that changes', () => {
  test('to the version of an answer is the run’s own', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), shows(2, theirs));
    expect(disturbanceIn(journal, shows(2, theirs))).toBeUndefined();
  });

  test('as a refused write asked for, comment and all, is too', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), numbered(409));
    const done = shows(2, { ...ours, assignment_comment: 'c' });
    expect(disturbanceIn(journal, done)).toBeUndefined();
  });

  test('as a write asked for that was answered with a failure, or not yet, is too', async () => {
    const journal = await journalOf();
    const unassigning = '{"unassign":{"assigned_by_id":"by"}}';
    journal.of(id).beforeWrite(write);
    expect(disturbanceIn(journal, shows(2, { ...ours, assignment_comment: 'c' }))).toBeUndefined();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(unassigning), numbered(500));
    expect(disturbanceIn(journal, shows(3, null))).toBeUndefined();
  });

  test('without a write was changed by somebody else, whose assignment is what is put back', async () => {
    const journal = await journalOf();
    const read = shows(2, theirs);
    expect(disturbanceIn(journal, read)).toMatchObject({
      message: `Somebody else changed task ${id} in the meantime: since ${version(2)} it is assigned to user two (“by somebody else”). TASK_IDS should name tasks that nobody else uses meanwhile.`,
      exchanges: [read.exchange.number],
    });
    expect(journal.of(id).before).toEqual({ version: version(2), assignment: theirs });
  });

  test('by somebody else, and back to what the run’s last write had made of it, is left so', async () => {
    const journal = await journalOf();
    const log = journal.of(id);
    log.afterWrite(log.beforeWrite('{"unassign":{"assigned_by_id":"by"}}'), shows(2, null));
    log.afterRead(shows(3, { ...theirs, assignment_comment: null }));
    log.afterRead(shows(4, null));
    expect(log.before).toEqual({ version: version(4), assignment: null });
  });

  test('turns out to be the run’s own doing: what was there before it is put back', async () => {
    const journal = await journalOf();
    const unassigned = shows(2, theirs);
    const others = shows(3, ours);
    for (const read of [unassigned, others]) journal.of(id).afterRead(read);
    journal.of(id).attribute([others]);
    const log = journal.of(id);
    expect(log.before).toEqual({ version: version(2), assignment: theirs });
    expect(log.isChangedByOthers).toBe(true);
    journal.of(id).attribute([unassigned]);
    expect(log.before).toEqual({ version: version(1), assignment: null });
    expect(log.isChangedByOthers).toBe(false);
  });

  test('unassigned by a refused write on one task tells of those before and after it on all', async () => {
    const journal = await journalOf();
    const another = '2d0e9a51-5c0b-4d4f-8b1a-6f1f4c1f9a77';
    await journal.of(another).remember({ ...asTask(shows(1, theirs)), id: another });
    const unassign = '{"unassign":{"assigned_by_id":"by"}}';
    const refuse = (task: string) =>
      journal.of(task).afterWrite(journal.of(task).beforeWrite(unassign), numbered(409));
    const toPutBack = (task: string) => journal.of(task).before;
    journal.of(id).afterRead(shows(2, theirs));
    refuse(id);
    journal.of(id).afterRead(shows(3, null));
    refuse(another);
    journal.of(another).afterRead(shows(2, null, { id: another }));
    expect([toPutBack(id), toPutBack(another)]).toMatchObject([
      { assignment: null },
      { assignment: null },
    ]);
    journal.of(id).attribute([shows(3, null)]);
    expect(toPutBack(id)).toEqual({ version: version(2), assignment: theirs });
    expect(toPutBack(another)).toEqual({ version: version(1), assignment: theirs });
    journal.of(another).afterRead(shows(3, ours, { id: another }));
    refuse(another);
    journal.of(another).afterRead(shows(4, null, { id: another }));
    expect(toPutBack(another)).toMatchObject({ version: version(3), assignment: ours });
  });

  test('in another field, with a new version, was changed by somebody else too', async () => {
    const journal = await journalOf();
    expect(disturbanceIn(journal, shows(2, null, { name: 'another' }))?.message).toContain(
      `since ${version(2)} it has another name. `,
    );
    expect(journal.of(id).before).toEqual({ version: version(1), assignment: null });
  });

  test('after a write, again, was: a workflow may move it on', async () => {
    const journal = await journalOf();
    const done = { ...ours, assignment_comment: 'c' };
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), shows(2, done));
    expect(disturbanceIn(journal, shows(3, done, { step_name: 'next' }))).toBeDefined();
    expect(journal.of(id).first).toMatchObject({ step_name: 'next' });
  });

  test('to something else than a refused write asked for was', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), numbered(409));
    expect(disturbanceIn(journal, shows(2, theirs))).toBeDefined();
  });

  test('after an accepted write whose answer gave no new version is the run’s own, once', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), numbered(204));
    expect(disturbanceIn(journal, shows(2, theirs))).toBeUndefined();
    expect(disturbanceIn(journal, shows(3, theirs))).toBeDefined();
  });

  test('to a version before that of the answer can only be the run’s own', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write, version(1)), shows(3, theirs));
    expect(disturbanceIn(journal, shows(2, theirs))).toBeUndefined();
  });

  test('in another field, to such a version, was changed by somebody else: clocks may disagree', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write, version(1)), shows(3, theirs));
    expect(disturbanceIn(journal, shows(2, theirs, { data_version: 7 }))).toBeDefined();
  });

  test('to a version before that with which the write was sent cannot', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write, version(2)), shows(3, theirs));
    expect(disturbanceIn(journal, shows(2, theirs))).toBeDefined();
  });

  test('was not, where the answer to the write came after a read that shows it', async () => {
    const journal = await journalOf();
    const number = journal.of(id).beforeWrite(write);
    const read = shows(2, null);
    expect(disturbanceIn(journal, read)).toBeDefined();
    journal.of(id).afterWrite(number, shows(2, null));
    expect(journal.disturbanceIn([read.exchange.number])).toBeUndefined();
  });

  test('as often as the same was tried follows from that', async () => {
    const journal = await journalOf();
    const read = shows(2, null);
    expect(disturbanceIn(journal, read)).toBeDefined();
    journal.of(id).attribute([read]);
    expect(journal.disturbanceIn([read.exchange.number])).toBeUndefined();
  });

  test('back, as a late answer shows it, has not, and is to be read again', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), shows(2, theirs));
    expect(disturbanceIn(journal, shows(1, null))).toBeUndefined();
    expect(journal.of(id).isStale(shows(1, null))).toBe(true);
    expect(journal.of(id).isStale(shows(2, theirs))).toBe(false);
  });

  test('between two scenarios was changed while nobody looked', async () => {
    const journal = await journalOf();
    const read = shows(2, theirs);
    journal.of(id).afterRead(read);
    journal.of(id).watch(asTask(read));
    expect(journal.disturbanceIn([read.exchange.number])).toBeUndefined();
  });
});

describe('what may be overwritten', () => {
  const nobody = { version: version(9), assignment: null };
  const unassign = '{"unassign":{"assigned_by_id":"by"}}';

  test('a write whose answer is lost may have been carried out', async () => {
    const journal = await journalOf();
    journal.of(id).beforeWrite(unassign);
    expect(journal.of(id).mayHaveMade(nobody)).toBe(true);
    expect(journal.of(id).hasPendingWrite).toBe(true);
  });

  test('a refused one was not: nobody assigned is somebody else’s doing', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(unassign), numbered(409));
    expect(journal.of(id).mayHaveMade(nobody)).toBe(false);
  });

  test('the assignment of the last write may be, whatever else has changed since', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(unassign), shows(2, null));
    expect(journal.of(id).mayHaveMade(nobody)).toBe(true);
    expect(journal.of(id).makerOf(nobody.version)).not.toBe('run');
    expect(journal.of(id).mayHaveMade({ ...nobody, assignment: theirs })).toBe(false);
  });

  test('an assignment without a comment that an earlier write made may come back from another run', async () => {
    const journal = await journalOf();
    const unmarked = { ...ours, assignment_comment: null };
    const assign = JSON.stringify({ update: ours });
    journal.of(id).afterWrite(journal.of(id).beforeWrite(assign), shows(2, unmarked));
    journal.of(id).afterWrite(journal.of(id).beforeWrite(unassign), shows(3, null));
    const mayHaveMade = (assignment: AssignmentFields): boolean =>
      journal.of(id).mayHaveMade({ version: version(9), assignment });
    expect(mayHaveMade(unmarked)).toBe(true);
    expect(mayHaveMade({ ...unmarked, assignment_comment: 'a text' })).toBe(false);
    expect(mayHaveMade({ ...unmarked, assigned_by_id: 'other' })).toBe(false);
  });
});

describe('an assignment that the run wrote to another task', () => {
  const another = '2d0e9a51-5c0b-4d4f-8b1a-6f1f4c1f9a77';
  const ofAnother = (answer: Answer): Task => ({ ...asTask(answer), id: another });
  /** A journal that has seen both tasks, and assigned the first: with the state that it asked for. */
  async function journalAfterAWrite() {
    const journal = new Journal();
    journal.of(another).afterRead(shows(1, theirs, { id: another }));
    await journal.of(id).remember(asTask(shows(1, null)));
    const assignment = { ...ours, assignment_comment: `Contract test ${journal.newMark()}` };
    const body = JSON.stringify({ update: assignment });
    journal.of(id).afterWrite(journal.of(id).beforeWrite(body), shows(2, assignment));
    return { journal, assignment };
  }
  const before = { version: version(1), assignment: theirs };

  test('is not what that was before, where the target has one assignment for both', async () => {
    const { journal, assignment } = await journalAfterAWrite();
    const now = shows(2, assignment, { id: another });
    await journal.of(another).remember(ofAnother(now));
    expect(journal.of(another).original).toEqual(before);
    expect(journal.of(another).isStale(now)).toBe(false);
  });

  test('is not what somebody else made of it', async () => {
    const { journal, assignment } = await journalAfterAWrite();
    await journal.of(another).remember(ofAnother(shows(1, theirs)));
    journal.of(another).afterRead(shows(2, assignment, { id: another }));
    expect(journal.of(another).before).toEqual(before);
    journal
      .of(another)
      .afterRead(shows(3, { ...assignment, assigned_to_id: 'two' }, { id: another }));
    expect(journal.of(another).isChangedByOthers).toBe(true);
  });
});

test('requests name a task as the target writes its id, in whatever case it is configured', async () => {
  const upper = id.toUpperCase();
  const journal = new Journal();
  await journal.of(id).remember({ ...asTask(shows(1, null)), id: upper });
  journal.of(upper).beforeWrite(write);
  journal.of(id).beforeWrite(write);
  expect(journal.written).toMatchObject([{ id: upper, lastNumber: 2, hasPendingWrite: true }]);
});

describe('the task as the run has seen it last is shown', () => {
  const secondMs = 1000;
  const read = (journal: Journal, answer: Answer): void => {
    journal.of(id).beforeRead(Promise.resolve(answer));
    journal.of(id).afterRead(answer);
  };

  test('by a read, also one that is under way, until something is written', async () => {
    const journal = await journalOf();
    const answer = shows(1, null);
    journal.of(id).beforeRead(Promise.resolve(answer));
    expect(await journal.of(id).latest(secondMs)).toBe(answer);
    journal.of(id).beforeWrite(write);
    expect(await journal.of(id).latest(secondMs)).toBeUndefined();
  });

  test('not by a read that lags behind, or that failed', async () => {
    const journal = await journalOf();
    journal.of(id).afterWrite(journal.of(id).beforeWrite(write), shows(2, ours));
    read(journal, shows(1, null));
    expect(await journal.of(id).latest(secondMs)).toBeUndefined();
    journal.of(id).beforeRead(Promise.reject(new Error('no response')));
    expect(await journal.of(id).latest(secondMs)).toBeUndefined();
  });

  test('not by a read that is older than wanted', () =>
    inVirtualTime(async () => {
      const journal = await journalOf();
      const answer = shows(1, null);
      read(journal, answer);
      await pause(5);
      expect(await journal.of(id).latest(5)).toBe(answer);
      expect(await journal.of(id).latest(4)).toBeUndefined();
    }));
});
