import { describe, expect, test } from 'vitest';
import type { Task } from '../../schemas/resources.ts';
import type { PutBack } from '../../schemas/results.ts';
import { Api } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { Client } from '../http/client.ts';
import { answer } from '../http/exchange.fixture.ts';
import { createPacing } from '../http/pacing.ts';
import { Recorder } from '../http/recorder.ts';
import type { Transport } from '../http/transport.ts';
import { Inconclusive } from '../outcomes.ts';
import { Journal } from './journal.ts';
import { markOf, newRun } from './marks.ts';
import { putBack } from './put-back.ts';
import type { AssignmentFields, TaskState } from './task-answer.ts';

const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const ours = { assigned_by_id: 'by', assigned_to_id: 'one', assigned_to_type: 'USER' } as const;
const theirs = { ...ours, assigned_to_id: 'two', assignment_comment: 'by somebody else' };
const asks = JSON.stringify({ update: ours });
const version = (count: number): string => `2026-01-01T00:00:00.00${count}Z`;

const shows = (count: number, assignment: AssignmentFields | null): Answer =>
  answer(200, [], JSON.stringify({ id, updated_at: version(count), assignment }));

/**
 * A task that has this state at first, and then what is written to it, one version after the other.
 * @param reads what the next reads show, one after the other, before that
 */
function taskIn(
  state: TaskState,
  keepsComments = false,
  reads: readonly TaskState[] = [],
  comment: (text: unknown) => unknown = (text) => text,
): Transport {
  const shown = [...reads];
  let { assignment } = state;
  let { version: current } = state;
  let writes = 0;
  return async ({ method, body = '' }) => {
    if (method === 'PUT') {
      const { update = null } = JSON.parse(body) as { update?: AssignmentFields };
      const kept = keepsComments && update && assignment?.assignment_comment;
      assignment = kept ? { assignment_comment: kept, ...update } : update;
      if (update?.assignment_comment) {
        assignment = { ...update, assignment_comment: comment(update.assignment_comment) };
      }
      writes += 1;
      current = version(7 + writes);
    }
    const late = method === 'GET' ? shown.shift() : undefined;
    const now = late ?? { version: current, assignment };
    const { version: updated_at, assignment: shows } = now;
    const task = JSON.stringify({ id, updated_at, assignment: shows });
    return {
      status: 200,
      headers: [],
      body: (async function* () {
        yield new TextEncoder().encode(task);
      })(),
    };
  };
}

/** What there was before the run, and what the target does with it. */
interface Before {
  readonly before: AssignmentFields | null;
  /** Whether the comment of an assignment stays on the next one that has none. */
  readonly keepsComments: boolean;
  /** What reads show first, before the state that the task is in. */
  readonly reads: readonly TaskState[];
  /** How it shows a comment that was written. */
  readonly comment?: (text: unknown) => unknown;
}

/** What is kept of the journal does not matter here; that it is kept says that the tasks are not the run’s alone. */
const kept = { isKept: true };

/** What becomes of the task after a run that assigned it, before which nobody was unless said otherwise. */
async function outcomeOf(
  state: TaskState,
  duringTheRun: (journal: Journal) => void | Promise<void> = () => {},
  { before = null, keepsComments = false, reads = [], comment }: Partial<Before> = {},
): Promise<Pick<PutBack, 'outcome' | 'why'>> {
  const journal = Object.assign(new Journal(), kept);
  // The journal looks at no other field of a task.
  await journal.of(id).remember(shows(1, before).object as unknown as Task);
  journal.of(id).afterWrite(journal.of(id).beforeWrite(asks), shows(2, ours));
  await duringTheRun(journal);
  const over = new AbortController();
  const stop = over.signal;
  // Nobody waits longer for another run than until it has been seen as often as there are reads.
  let meetings = 0;
  journal.onOtherRun = () => {
    meetings += 1;
    if (meetings > reads.length) over.abort(new Inconclusive('it is over'));
  };
  const limits = { requestTimeoutMs: 1000, maxExportBytes: 10_000, writes: true, stop };
  const client = new Client(
    taskIn(state, keepsComments, reads, comment),
    new Recorder([]),
    createPacing(1, 0, stop),
    limits,
  );
  const access = {
    apiKey: 'key',
    target: { baseUrl: 'http://127.0.0.1:1/v5' },
    wrongRegionUrl: undefined,
  };
  const api = new Api(client, access, 'putting back', journal);
  const [done] = await putBack(api, journal, { actor: 'by', settleMs: 1, stop });
  const { taskId: _, before: __, ...rest } = done as PutBack;
  return rest;
}

const byUs = { ...ours, assignment_comment: null };

test('a task that shows what the run wrote is put back without a word', async () => {
  expect(await outcomeOf({ version: version(2), assignment: byUs })).toEqual({
    outcome: 'put back',
  });
});

test('a comment that a target shows in a list is written as the text that it was', async () => {
  const comment = (text: unknown) => (typeof text === 'string' ? [text] : 'no text');
  const before = { ...ours, assigned_to_id: 'three', assignment_comment: ['Please review.'] };
  expect(
    await outcomeOf({ version: version(2), assignment: byUs }, undefined, { before, comment }),
  ).toEqual({ outcome: 'put back' });
});

test('where the comment of the run would stay, the task is unassigned in between', async () => {
  const commented = { ...ours, assignment_comment: 'of the run' };
  const writing = (journal: Journal): void =>
    journal
      .of(id)
      .afterWrite(
        journal.of(id).beforeWrite(JSON.stringify({ update: commented })),
        shows(3, commented),
      );
  const before = { ...ours, assigned_to_id: 'three' };
  expect(
    await outcomeOf({ version: version(3), assignment: commented }, writing, {
      before,
      keepsComments: true,
    }),
  ).toEqual({ outcome: 'put back' });
});

test('a task of which somebody else changed another field is put back', async () => {
  expect(await outcomeOf({ version: version(5), assignment: byUs })).toEqual({
    outcome: 'put back',
  });
});

test('a task that somebody else has assigned since is left, and how it is now is said', async () => {
  expect(await outcomeOf({ version: version(5), assignment: theirs })).toEqual({
    outcome: 'left',
    why: { kind: 'reassigned', since: '2026-01-01T00:00:00.005Z', now: theirs },
  });
});

test('a task that somebody else has made again what it was before the run is as before', async () => {
  const seen = (journal: Journal): void => {
    journal.of(id).afterRead(shows(5, theirs));
    journal.of(id).afterRead(shows(6, null));
  };
  expect(await outcomeOf({ version: version(6), assignment: null }, seen)).toEqual({
    outcome: 'as before',
    why: { kind: 'changed during the run' },
  });
});

describe('where a write was refused, and the version is one that the run has seen', () => {
  const refused = JSON.stringify({
    update: { ...ours, assigned_to_id: 'three', assignment_comment: 'of a "refused" write' },
  });
  const refusing = (journal: Journal): void =>
    journal.of(id).afterWrite(journal.of(id).beforeWrite(refused), answer(409));
  const leaked = { ...byUs, assignment_comment: 'of a "refused" write' };
  const workflow = (journal: Journal): void => {
    // Another version, the same assignment: nobody's doing.
    journal.of(id).afterRead(shows(5, ours));
    refusing(journal);
  };

  test.for([
    ['of its own', 2, refusing],
    ['of before the run', 1, refusing],
    ['of a workflow', 5, workflow],
  ] as const)(
    'a comment that only that write held is put back: a version %s',
    async ([, count, during]) => {
      expect(await outcomeOf({ version: version(count), assignment: leaked }, during)).toEqual({
        outcome: 'put back',
      });
    },
  );

  test('what no write of the run held is put back too: the version says that nobody else has changed the task', async () => {
    const filledIn = { ...leaked, assignment_comment: 'of the target' };
    expect(await outcomeOf({ version: version(1), assignment: filledIn }, refusing)).toEqual({
      outcome: 'put back',
    });
  });

  test('what somebody else made of it since, with another version, is left', async () => {
    const others = { ...byUs, assignment_comment: 'of somebody else' };
    expect(await outcomeOf({ version: version(6), assignment: others }, refusing)).toEqual({
      outcome: 'left',
      why: expect.objectContaining({ kind: 'reassigned' }),
    });
  });
});

test('a task that somebody else assigned during the run, and the run after that, is as they left it', async () => {
  const seen = (journal: Journal): void => {
    journal.of(id).afterRead(shows(5, theirs));
    journal.of(id).afterWrite(journal.of(id).beforeWrite(asks), shows(6, ours));
  };
  expect(await outcomeOf({ version: version(6), assignment: byUs }, seen)).toEqual({
    outcome: 'put back',
    why: { kind: 'changed during the run' },
  });
});

describe('where another run of the suite', () => {
  const mark = markOf(newRun(), 1);
  const ofAnotherRun = { ...theirs, assignment_comment: `Contract test ${mark}: is this so?` };

  test('has assigned a task since, it is not vouched for, and stays to be put back', async () => {
    expect(await outcomeOf({ version: version(5), assignment: ofAnotherRun })).toEqual({
      outcome: 'failed',
      why: { kind: 'another run', since: '2026-01-01T00:00:00.005Z', now: ofAnotherRun },
    });
  });

  test('has assigned a task to which this run then wrote in vain, that is not overwritten', async () => {
    const seen = (journal: Journal): void => {
      journal.of(id).afterRead(shows(5, ofAnotherRun));
      journal.of(id).afterWrite(journal.of(id).beforeWrite(asks), answer(409));
    };
    expect(await outcomeOf({ version: version(5), assignment: ofAnotherRun }, seen)).toMatchObject({
      outcome: 'failed',
      why: { kind: 'another run' },
    });
  });

  test('puts a task back to what this run made of it, it is put back to what there was before', async () => {
    const reads = [{ version: version(5), assignment: ofAnotherRun }];
    expect(
      await outcomeOf({ version: version(6), assignment: byUs }, undefined, { reads }),
    ).toEqual({ outcome: 'put back', why: { kind: 'another run is there' } });
  });

  test('has assigned a task during the run, that is never put back', async () => {
    const seen = (journal: Journal): void => {
      journal.of(id).afterRead(shows(5, ofAnotherRun));
      journal.of(id).afterWrite(journal.of(id).beforeWrite(asks), shows(6, ours));
    };
    const before = { ...ours, assigned_to_id: 'three', assignment_comment: null };
    const reads = [{ version: version(6), assignment: byUs }];
    expect(
      await outcomeOf({ version: version(6), assignment: byUs }, seen, { before, reads }),
    ).toEqual({ outcome: 'put back', why: { kind: 'another run is there' } });
  });

  test('may have made an unsigned change, nobody else is said to want it so', async () => {
    const seen = (journal: Journal): void => journal.of(id).afterRead(shows(4, ofAnotherRun));
    const reads = [{ version: version(5), assignment: { ...theirs, assignment_comment: null } }];
    const unsigned = { ...theirs, assignment_comment: null };
    expect(await outcomeOf({ version: version(5), assignment: unsigned }, seen, { reads })).toEqual(
      {
        outcome: 'failed',
        why: { kind: 'another run', since: '2026-01-01T00:00:00.005Z', now: unsigned },
      },
    );
  });
});

test('a task that shows what the run wrote to another one is put back', async () => {
  const marked = { ...theirs, assignment_comment: `Contract test ${markOf(newRun(), 1)}` };
  const writtenToAnother = async (journal: Journal): Promise<void> => {
    const another = '2d0e9a51-5c0b-4d4f-8b1a-6f1f4c1f9a77';
    const task = { id: another, updated_at: version(1), assignment: null } as unknown as Task;
    await journal.of(another).remember(task);
    journal.of(another).beforeWrite(JSON.stringify({ update: marked }));
  };
  expect(await outcomeOf({ version: version(5), assignment: marked }, writtenToAnother)).toEqual({
    outcome: 'put back',
  });
});

test('a comment that looks like one of the suite is somebody else’s', async () => {
  const alike = { ...theirs, assignment_comment: 'Contract test 482139070017266517: mine.' };
  expect(await outcomeOf({ version: version(5), assignment: alike })).toMatchObject({
    outcome: 'left',
    why: { kind: 'reassigned' },
  });
});

test('a reading of before the last write of the run does not pass for the task as it is', async () => {
  const reads = [{ version: version(1), assignment: null }];
  expect(await outcomeOf({ version: version(2), assignment: byUs }, undefined, { reads })).toEqual({
    outcome: 'put back',
  });
});
