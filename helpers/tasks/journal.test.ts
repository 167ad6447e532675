import { describe, expect, test } from 'vitest';
import type { Task } from '../../schemas/task.ts';
import { updateBody } from '../api.ts';
import { answer } from '../http/exchange.fixture.ts';
import { Journal } from './journal.ts';
import type { AssignmentFields } from './task-answer.ts';

const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const ours = { assigned_by_id: 'by', assigned_to_id: 'one', assigned_to_type: 'USER' } as const;
const theirs = { ...ours, assigned_to_id: 'two', assignment_comment: 'by somebody else' };
const write = JSON.stringify(updateBody({ type: 'USER', id: 'one' }, { by: 'by', comment: 'c' }));

const version = (count: number): string => `2026-01-01T00:00:00.00${count}Z`;
const shows = (count: number, assignment: AssignmentFields | null, status = 200) =>
  answer(status, [], JSON.stringify({ id, updated_at: version(count), assignment }));

/** A journal that remembers the task, in its first version, assigned to nobody. */
async function journalOf(): Promise<Journal> {
  const journal = new Journal();
  // The journal looks at no other field of a task.
  await journal.remember(id, { updated_at: version(1), assignment: null } as unknown as Task);
  return journal;
}

describe('a task that changes', () => {
  test('as a write asked for is the run’s own', async () => {
    const journal = await journalOf();
    journal.beforeWrite(id, write);
    journal.afterRead(id, shows(2, { ...ours, assignment_comment: 'c' }));
    expect(journal.disturbanceOf(id)).toBeUndefined();
  });

  test('without a write was changed by somebody else, whose change is what is put back', async () => {
    const journal = await journalOf();
    journal.afterRead(id, shows(2, theirs));
    expect(journal.disturbanceOf(id)).toMatchObject({
      message: `Somebody else changed task ${id} in the meantime: since ${version(2)} it is assigned to user two (“by somebody else”).`,
      exchanges: [1],
    });
    expect(journal.ledgers.get(id)?.before).toEqual({ version: version(2), assignment: theirs });
  });

  test('to something else than a refused write asked for was changed by somebody else', async () => {
    const journal = await journalOf();
    journal.afterWrite(id, journal.beforeWrite(id, write), answer(409));
    journal.afterRead(id, shows(2, theirs));
    expect(journal.disturbanceOf(id)).toBeDefined();
  });

  test('into the version of an answer is the run’s own, whatever it was made into', async () => {
    const journal = await journalOf();
    journal.afterWrite(id, journal.beforeWrite(id, write), shows(2, theirs));
    journal.afterRead(id, shows(2, theirs));
    expect(journal.disturbanceOf(id)).toBeUndefined();
  });

  test('after a write that is wrong on purpose is the target’s affair', async () => {
    const journal = await journalOf();
    journal.afterWrite(id, journal.beforeWrite(id, '{"update":{}}'), answer(400));
    journal.afterRead(id, shows(2, theirs));
    expect(journal.disturbanceOf(id)).toBeUndefined();
  });

  test('in its version alone has not been assigned by anybody', async () => {
    const journal = await journalOf();
    journal.afterRead(id, shows(2, null));
    expect(journal.disturbanceOf(id)).toBeUndefined();
  });

  test('back, as a late answer shows it, has not', async () => {
    const journal = await journalOf();
    journal.afterWrite(
      id,
      journal.beforeWrite(id, write),
      shows(2, { ...ours, assignment_comment: 'c' }),
    );
    journal.afterRead(id, shows(1, null));
    expect(journal.disturbanceOf(id)).toBeUndefined();
  });
});

describe('what may be overwritten', () => {
  const nobody = { version: version(9), assignment: null };

  test('a write whose answer is lost may have been carried out', async () => {
    const journal = await journalOf();
    journal.beforeWrite(id, '{"unassign":{"assigned_by_id":"by"}}');
    expect(journal.ledgers.get(id)?.hasMade(nobody)).toBe(true);
    expect(journal.ledgers.get(id)?.hasPendingWrite).toBe(true);
  });

  test('a refused one was not: nobody assigned is somebody else’s doing', async () => {
    const journal = await journalOf();
    const number = journal.beforeWrite(id, '{"unassign":{"assigned_by_id":"by"}}');
    journal.afterWrite(id, number, answer(409));
    expect(journal.ledgers.get(id)?.hasMade(nobody)).toBe(false);
  });
});
