import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runsIn } from '../helpers/tasks/marks.ts';
import type { ServiceRequest, ServiceResponse } from '../reference/request.ts';
import { type Ended, emptyFolder, type Started, startCommand } from './process.fixture.ts';
import { type SharedTarget, shareTarget } from './shared-target.fixture.ts';

// Two runs on the same tasks, each with a journal of its own, as on two machines.

const writing = ['--only', 'conflict.', '--only', 'unassign.', '--only', 'comment.is-on'];

type Variables = SharedTarget['variables'];

/** As from another machine: nothing of the run is kept where another one looks. */
async function fromElsewhere(variables: Variables, ...args: string[]): Promise<Started> {
  const folder = await emptyFolder();
  const own = {
    // What it asks, of the other region too, goes on while the first run stands still.
    BASE_URL: (variables.BASE_URL ?? '').replace('127.0.0.1', 'localhost'),
    WRONG_REGION_URL: (variables.WRONG_REGION_URL ?? '').replace('127.0.0.1', 'localhost'),
    REPORT_DIR: join(folder, 'reports'),
    JOURNAL_DIR: join(folder, 'journal'),
  };
  return startCommand([...writing, ...args], folder, { ...variables, ...own });
}

const fail = (): never => expect.fail('It is not there.');

const textOf = ({ stdout, stderr }: Ended): string => stdout + stderr;

/** The tasks that are not as they were, and that no run that ended with 2 names. */
function unsaid(
  { taskIds }: SharedTarget,
  before: readonly unknown[],
  after: readonly unknown[],
  runs: readonly Ended[],
): string[] {
  const said = runs.filter(({ code }) => code === 2).map(textOf);
  return taskIds.filter(
    (id, index) =>
      !isDeepStrictEqual(after[index], before[index]) && !said.some((text) => text.includes(id)),
  );
}

/** When the first run gets an answer. */
interface Moment {
  /** How many it has got. */
  readonly answers: number;
  readonly request: ServiceRequest;
  readonly response: ServiceResponse;
}

const isUnassigned = ({ request: { method, body }, response: { status } }: Moment): boolean =>
  method === 'PUT' && body.includes('"unassign"') && status === 200;

/** Whether a write was carried out, and its comment tells that a run made it. */
const leavesMark = ({ method, body = '' }: ServiceRequest, { status }: ServiceResponse): boolean =>
  method === 'PUT' && status === 200 && body.includes('"update"') && runsIn(body).length > 0;

describe('of two runs that do not know of each other, each task is as it was, or one of them names it', () => {
  test.for<[after: string, requests: number, tasks: number, isTime: (now: Moment) => boolean]>([
    // Nothing is written yet.
    ['14 answers', 26, 8, ({ answers }) => answers === 14],
    ['14 answers', 36, 8, ({ answers }) => answers === 14],
    ['14 answers', 51, 8, ({ answers }) => answers === 14],
    ['18 answers', 17, 8, ({ answers }) => answers === 18],
    ['60 answers', 41, 8, ({ answers }) => answers === 60],
    // On its one task stands no comment.
    ['it has unassigned its task', 13, 1, isUnassigned],
    ['it has unassigned its task', 25, 1, isUnassigned],
    ['it has unassigned its task', 1000, 1, isUnassigned],
  ])(
    'the second begins when the first stands still after %s, which goes on after %i requests of the second',
    async ([, requests, tasks, isTime]) => {
      const folder = await emptyFolder();
      let second: Promise<Ended> | undefined;
      let ofTheSecond = 0;
      let ofTheFirst = 0;
      let goOn = (): void => {};
      const isOn = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const target = await shareTarget(folder, async (request, handle) => {
        // By this name only the second calls it.
        if (request.headers.host?.startsWith('localhost')) {
          ofTheSecond += 1;
          if (ofTheSecond === requests) goOn();
          return await handle(request);
        }
        if (second !== undefined) await isOn;
        const response = await handle(request);
        ofTheFirst += 1;
        if (second === undefined && isTime({ answers: ofTheFirst, request, response })) {
          second = fromElsewhere(variables).then(({ ended }) => ended);
          void second.then(goOn);
        }
        return response;
      });
      const variables: Variables = {
        ...target.variables,
        TASK_IDS: target.taskIds.slice(0, tasks).join(','),
        REQUEST_TIMEOUT_MS: '60000',
      };
      const before = await target.assignments();
      const first = await startCommand(writing, folder, variables).ended;
      const runs = [first, (await second) ?? fail()];
      const after = await target.assignments();
      expect(unsaid(target, before, after, runs)).toEqual([]);
      for (const run of runs) {
        // Nobody is accused of what the other run did.
        expect(run.code, textOf(run)).not.toBe(1);
        const claims = /All \d+ tasks that were written to are as they were before/.test(
          run.stderr,
        );
        expect(claims && run.code === 2, textOf(run)).toBe(false);
      }
    },
  );
});

test('a run does not begin on a task that another one is writing to, and says which and what to do', async () => {
  const folder = await emptyFolder();
  const second: Ended[] = [];
  let written = '';
  const target = await shareTarget(folder, async (request, handle) => {
    const response = await handle(request);
    if (written !== '' || !leavesMark(request, response)) return response;
    // The first run waits for this answer, and has assigned this task.
    written = /tasks\/([^/]+)\//.exec(request.target)?.[1] ?? '';
    second.push(await (await fromElsewhere(target.variables, '--allow-incomplete')).ended);
    return response;
  });
  const before = await target.assignments();
  const variables = { ...target.variables, REQUEST_TIMEOUT_MS: '60000' };
  const first = await startCommand(writing, folder, variables).ended;
  const [{ stdout, stderr, code } = first] = second;
  expect(code).toBe(2);
  expect(stdout).toMatch(
    /\nNOT RUN {2}Nothing could be judged\. Another run of this suite writes to the same tasks, or was killed /,
  );
  expect(stdout.replaceAll('\n', ' ')).toMatch(
    new RegExp(` type restore --unassign with their ids\\. Seen on: .*${written} \\(since `),
  );
  expect(stderr).not.toContain('tasks that were written to');
  // It sent no write, and the first run did not notice it.
  expect(first.code, textOf(first)).toBe(0);
  expect(await target.assignments()).toEqual(before);
});

test('a run whose task another one writes to stops, accuses nobody, and keeps what the task was before', async () => {
  const folder = await emptyFolder();
  let written = '';
  let made: Awaited<ReturnType<SharedTarget['task']>>['assignment'] = null;
  const other = 'Contract test 482139070017266516: phased actuating frame.';
  const target = await shareTarget(folder, async (request, handle) => {
    const response = await handle(request);
    if (written !== '' || !leavesMark(request, response)) return response;
    written = /tasks\/([^/]+)\//.exec(request.target)?.[1] ?? '';
    made = (await target.task(written)).assignment;
    await target.assign(written, target.userIds[1] ?? '', other);
    return response;
  });
  const before = await target.assignments();
  const args = [...writing, '--allow-incomplete'];
  const { stdout, stderr, code } = await startCommand(args, folder, target.variables).ended;
  expect(code).toBe(2);
  expect(stdout).toMatch(
    /\nNOT RUN {2}Nothing could be judged\. Another run of this suite writes /,
  );
  expect(stderr).toMatch(
    /Another run of this suite wrote to the same tasks\. When they were last read, \d+ of \d+ tasks? that this run wrote to stood as before; what the other run makes of them is not known\.\n/,
  );
  expect(stderr).toContain(
    `  ${written}: NOT PUT BACK: since ${(await target.task(written)).updated_at} it is assigned to user ${target.userIds[1]} (“${other}”), by another run of this suite as it seems.`,
  );
  const results = JSON.parse(await readFile(join(folder, 'reports/results.json'), 'utf8'));
  expect(results.verdict).toBe('not run');
  expect(results.violations).toEqual([]);
  expect(results.leftChanged).toMatchObject([
    { taskId: written, outcome: 'failed', why: { kind: 'another run' } },
  ]);
  const index = target.taskIds.indexOf(written);
  const after = await target.assignments();
  expect(after).toEqual(before.with(index, after[index]));

  // The other run has ended, and put back what the first one had made of the task.
  const { assigned_to_id: to, assignment_comment: comment } = made ?? fail();
  await target.assign(written, to, comment ?? '');
  const again = await startCommand(['restore'], folder, target.variables).ended;
  expect(again.code, textOf(again)).toBe(0);
  expect(await target.assignments()).toEqual(before);
});

describe('where a run was killed and its journal is lost', () => {
  /** Kills a run that has assigned a task, and loses its journal. */
  async function killed() {
    const folder = await emptyFolder();
    let run: Started | undefined;
    let written = '';
    const target = await shareTarget(folder, async (request, handle) => {
      const response = await handle(request);
      if (written !== '' || !leavesMark(request, response)) return response;
      written = /tasks\/([^/]+)\//.exec(request.target)?.[1] ?? '';
      run?.signal('SIGKILL');
      return response;
    });
    run = startCommand(writing, folder, target.variables);
    await run.ended;
    return { target, written };
  }

  test('no run takes what it left for the original, doctor says so, and it can be unassigned', async () => {
    const { target, written } = await killed();
    const folder = await emptyFolder();
    const variables = { ...target.variables, JOURNAL_DIR: join(folder, 'journal') };
    const command = async (...args: string[]): Promise<Ended> =>
      await startCommand(args, folder, variables).ended;

    const left = await target.assignments();
    // Writes that were on their way when it was killed are carried out, and leave their mark too.
    const unmarked =
      target.taskIds.find((_, index) => runsIn(JSON.stringify(left[index])).length === 0) ?? fail();
    const { assignment, updated_at: version } = await target.task(written);
    const {
      assigned_to_type: type,
      assigned_to_id: to,
      assignment_comment: comment,
    } = assignment ?? fail();
    const told = comment && comment.length > 400 ? `${comment.slice(0, 400)}…` : comment;
    expect((await command(...writing)).code).toBe(2);
    expect(await target.assignments()).toEqual(left);

    const doctor = await command('doctor');
    expect(doctor.code).toBe(2);
    const unbroken = doctor.stdout.replaceAll(/\n {4}(?=\S)/g, ' ');
    expect(unbroken).toContain(
      `  ✗ ${written}: assigned to ${type.toLowerCase()} ${to} (“${told}”) since ${version}, by a run of this suite that has not put it back.`,
    );
    expect(unbroken).toMatch(new RegExp(` restore --unassign ${written}\\n`));

    const unassigned = await command('restore', '--unassign', `${written},${unmarked}`);
    expect(unassigned.stdout).toContain(
      `${written} is unassigned.\n${unmarked} is left: no comment of a run of this suite stands on it.\n`,
    );
    expect(unassigned.code).toBe(2);
    expect(await target.assignments()).toEqual(left.with(target.taskIds.indexOf(written), null));
  });
});
