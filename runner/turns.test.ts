import { expect, test } from 'vitest';
import { type Alone, Turns } from './turns.ts';

test('scenarios that wait until others are done go on one after the other', async () => {
  const turns = new Turns(new AbortController().signal);
  const steps: string[] = [];
  const last = (name: string) =>
    turns.among(name, async () => {
      await turns.othersAreDone(name);
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
    });
  await Promise.all([
    last('one'),
    turns.among('among others', async () => {
      await Promise.resolve();
      steps.push('the others');
    }),
    last('two'),
  ]);
  expect(steps).toEqual(['the others', 'one begins', 'one ends', 'two begins', 'two ends']);
});

test('one that sends reads goes on beside one that sends exports, and beside no other one', async () => {
  const turns = new Turns(new AbortController().signal);
  const underWay = new Set<Alone>();
  const beside: (readonly Alone[])[] = [];
  const last = (name: string, alone: Alone) =>
    turns.among(name, async () => {
      await turns.othersAreDone(name, alone);
      underWay.add(alone);
      await new Promise((go) => setImmediate(go));
      beside.push([...underWay]);
      underWay.delete(alone);
    });
  await Promise.all([last('one', 'reads'), last('two', 'anything'), last('three', 'exports')]);
  expect(beside).toEqual([['reads', 'exports'], ['exports'], ['anything']]);
});

test('a scenario goes on in all places in which it waits', async () => {
  const turns = new Turns(new AbortController().signal);
  const steps: string[] = [];
  await turns.among('one', async () => {
    const going = ['here', 'there'].map(async (place) => {
      await turns.othersAreDone('one');
      steps.push(place);
    });
    await Promise.all(going);
  });
  expect(steps).toEqual(['here', 'there']);
});

test('what a run waits for is no scenario that waits itself', async () => {
  const turns = new Turns(new AbortController().signal);
  const seen: unknown[] = [];
  await Promise.all([
    turns.among('one that waits', async () => {
      await Promise.resolve();
      await turns.othersAreDone('one that waits');
    }),
    turns.among('another', async () => {
      seen.push(turns.longest);
      await new Promise((go) => setImmediate(go));
      seen.push(turns.longest);
    }),
  ]);
  expect(seen).toEqual(['one that waits', 'another']);
});
