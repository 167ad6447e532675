import { expect, test } from 'vitest';
import { sameId, type Task } from '../../schemas/resources.ts';
import { TaskPool } from './task-pool.ts';

// The pool looks at these fields alone.
const task = (id: string, entity: string, assessment = 'one of its own') =>
  ({ id, entity_id: entity, assessment_id: assessment }) as Task;

/** A pool that knows what these tasks belong to. */
const poolOf = (ids: readonly string[], ...known: readonly Task[]): TaskPool =>
  new TaskPool(ids, (id) => known.find((one) => sameId(one.id, id)));

test('tasks are given out in turn, and those that were given back last', async () => {
  const pool = poolOf(['one', 'two', 'three']);
  expect(await pool.takeTwo('entity')).toEqual(['one', 'two']);
  pool.giveBack(['one']);
  expect(await pool.takeTwo('entity')).toEqual(['three', 'one']);
});

test('who waits first is served first, though the next one could be served at once', async () => {
  const pool = poolOf(['one', 'two']);
  const served: string[] = [];
  await pool.take();
  const both = pool.takeTwo('entity').then(() => served.push('both'));
  const single = pool.take().then(() => served.push('single'));
  pool.giveBack(['one']);
  await both;
  pool.giveBack(['two', 'one']);
  await single;
  expect(served).toEqual(['both', 'single']);
});

test('whoever takes all waits until all are free, and nobody else gets one before', async () => {
  const pool = poolOf(['one', 'two']);
  const served: string[] = [];
  await pool.take();
  const all = pool.takeAll().then((ids) => served.push(`all ${ids.length}`));
  const single = pool.take().then(() => served.push('single'));
  pool.giveBack(['one']);
  await all;
  pool.giveBack(['two', 'one']);
  await single;
  expect(served).toEqual(['all 2', 'single']);
});

test('where nobody needs to be alone any more, whoever waits for all gets one', async () => {
  const pool = poolOf(['one', 'two', 'three']);
  await pool.takeAll();
  const next = pool.takeAll();
  const single = pool.take();
  pool.giveBack(['two', 'three']);
  pool.share();
  expect(await next).toEqual(['two']);
  expect(await single).toEqual(['three']);
});

test('related tasks are of the same entity', async () => {
  const pool = poolOf(
    ['one', 'two', 'three'],
    task('one', 'first entity'),
    task('two', 'second entity'),
    task('three', 'first entity'),
  );
  expect(await pool.takeTwo('entity')).toEqual(['one', 'three']);
});

test('whoever asks for related tasks first waits for them; later any two will do', async () => {
  const pool = poolOf(
    ['one', 'two', 'three', 'four'],
    task('one', 'first entity'),
    task('two', 'second entity'),
    task('three', 'first entity'),
    task('four', 'third entity'),
  );
  await pool.take();
  const related = pool.takeTwo('entity');
  pool.giveBack(['one']);
  expect(await related).toEqual(['three', 'one']);
  expect(await pool.takeTwo('entity')).toEqual(['two', 'four']);
});

test('where no tasks are known to be related, any two are given once they are free', async () => {
  const pool = poolOf(['one', 'two', 'three']);
  const [first] = await pool.takeTwo('entity');
  const related = pool.takeTwo('entity');
  pool.giveBack([first]);
  expect(await related).toEqual(['three', 'one']);
});

test('tasks that were used before are given out only where there are not enough others', async () => {
  const pool = poolOf(['one', 'two', 'three']);
  expect(await pool.take(['one', 'two'])).toEqual(['three']);
  const other = pool.take(['one', 'two']);
  pool.giveBack(['three']);
  expect(await other).toEqual(['three']);
  expect(await pool.takeTwo('entity', ['two', 'three'])).toEqual(['one', 'two']);
});

test('tasks that are asked for by their ids are given out as soon as both are free', async () => {
  const pool = poolOf(['one', 'two', 'three']);
  await pool.takeTwo('entity');
  const these = pool.takeThese(['two', 'three']);
  pool.giveBack(['one', 'two']);
  expect(await these).toEqual(['two', 'three']);
  expect(await pool.take()).toEqual(['one']);
});

test('in whatever case its id is written, a task is of the same entity', async () => {
  const pool = poolOf(
    ['one', 'two', 'three'],
    task('ONE', 'an entity'),
    task('three', 'an entity'),
  );
  expect(await pool.takeTwo('entity')).toEqual(['one', 'three']);
});

test('two tasks of an assessment and of two entities are given together', async () => {
  const pool = poolOf(
    ['alone', 'first', 'second', 'third'],
    task('alone', 'an entity'),
    ...['first', 'second'].map((id) => task(id, 'the same', 'shared')),
    task('third', 'another', 'shared'),
  );
  expect(await pool.takeTwo('assessment')).toEqual(['first', 'third']);
  expect(await pool.takeTwo('assessment')).toEqual(['alone', 'second']);
});
