// No answer is looked at by nobody: docs/answers.md is made of what the judges read while they judge a run.

import { expect, test } from 'vitest';
import { Answer } from '../helpers/http/answer.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { groupBy } from '../helpers/maps.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { listFilters } from '../schemas/operations.ts';
import { isValidRead } from '../suites/answers.ts';
import { scenarios } from '../suites/index.ts';
import { runAgainst } from './in-process.ts';

/** Whose judge or observation reads an answer. */
interface Reader {
  readonly scenario: string;
  readonly clause: string;
}

/** By the number of the exchange. */
type Readers = Map<number, Set<Reader>>;

/** What is read of a file beside its answer. */
const ofFile: readonly string[] = ['table', 'reading', 'flaw'];

/** Says which answers are read, as long as a judge is at work. */
class Trace {
  readonly readers: Readers = new Map();
  readonly #known = new WeakMap<object, number>();
  readonly #walked = new WeakSet<object>();
  #reader: Reader | undefined;

  /** Lets each judge and observation of a scenario say what it reads. */
  of(scenario: AnyScenario): AnyScenario {
    const look = <Looks extends object>(looks: Looks): Looks =>
      // The keys stay those of the scenario.
      Object.fromEntries(
        Object.entries(looks).map(([id, see]) => [
          id,
          this.#reading({ scenario: scenario.name, clause: id }, see),
        ]),
      ) as Looks;
    const { act, afterPuttingBack, judges, observes = {} } = scenario;
    return {
      ...scenario,
      act: async (world) => this.#walk(await act(world)),
      ...(afterPuttingBack && {
        afterPuttingBack: (soFar) => this.#walk(afterPuttingBack(soFar)),
      }),
      judges: look(judges),
      observes: look(observes),
    };
  }

  /** Parsed bodies are handed on without the answer that they came with. */
  async during(work: () => Promise<void>): Promise<void> {
    const json = Object.getOwnPropertyDescriptor(Answer.prototype, 'json');
    const read = json?.get;
    if (json === undefined || read === undefined) throw new Error('Answers have no JSON.');
    const { note, known } = this.#hooks();
    Object.defineProperty(Answer.prototype, 'json', {
      ...json,
      get(this: Answer) {
        note(this.exchange.number);
        const value: unknown = read.call(this);
        if (typeof value === 'object' && value !== null) known.set(value, this.exchange.number);
        return value;
      },
    });
    try {
      await work();
    } finally {
      Object.defineProperty(Answer.prototype, 'json', json);
    }
  }

  #hooks() {
    return { note: (number: number) => this.#note(number), known: this.#known };
  }

  #note(number: number): void {
    if (this.#reader === undefined) return;
    const readers = this.readers.get(number) ?? new Set();
    this.readers.set(number, readers.add(this.#reader));
  }

  #reading(reader: Reader, see: (evidence: unknown) => unknown) {
    return (evidence: unknown): unknown => {
      this.#reader = reader;
      try {
        return see(evidence);
      } finally {
        this.#reader = undefined;
      }
    };
  }

  /** Has every answer in the evidence, and what was read of it, say when it is read. */
  #walk<Evidence>(evidence: Evidence): Evidence {
    const waiting: unknown[] = [evidence];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (typeof value !== 'object' || value === null || this.#walked.has(value)) continue;
      this.#walked.add(value);
      if (value instanceof Answer) {
        this.#watch(value, ['status', 'bytes', 'headers'], value.exchange.number);
        continue;
      }
      const number = this.#known.get(value);
      if (number !== undefined) this.#watch(value, Object.keys(value), number);
      if (value instanceof Map || value instanceof Set) waiting.push(...[...value].flat());
      // Rows of tables hold no answers.
      else if (!(Array.isArray(value) && typeof value[0] === 'string')) {
        if ('answer' in value && value.answer instanceof Answer) {
          this.#watch(value, ofFile, value.answer.exchange.number);
          const others = Object.entries(value).filter(([name]) => !ofFile.includes(name));
          waiting.push(...others.map(([, part]) => part));
        } else waiting.push(...Object.values(value));
      }
    }
    return evidence;
  }

  #watch(object: object, names: readonly string[], number: number): void {
    for (const name of names) {
      const own = Object.getOwnPropertyDescriptor(object, name);
      if (own === undefined || !('value' in own) || own.configurable !== true) continue;
      const get = (): unknown => {
        this.#note(number);
        return own.value;
      };
      Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
    }
  }
}

/** What is asked for, without values. */
function kindOf({ operation, request }: Exchange): string {
  const { url, headers, key, route } = request;
  const { host, pathname, searchParams } = new URL(url);
  const hasKey = headers.some(([name]) => name.toLowerCase() === 'apikey');
  const names = [...searchParams.keys()];
  const special = [
    host.startsWith('other') && 'in another region',
    route === 'blocked' && 'from another address',
    !hasKey && 'without a key',
    hasKey && key !== undefined && 'with another key',
    request.method === 'GET' && pathname.endsWith('/update-assignment') && 'by GET',
    operation === 'export' && searchParams.get('file_type') === 'pdf' && 'PDF',
    names.some((name) => listFilters.some((filter) => name.startsWith(filter))) && 'lists',
    names.some((name) => name.startsWith('metadata')) && 'metadata',
  ].filter((one) => one !== false);
  const name = {
    'update-assignment': 'PUT update-assignment',
    'get-task': 'GET task',
    'get-assessment': 'GET assessment',
    export: 'GET export',
  }[operation];
  return [name, ...special].join(', ');
}

/** Many clauses of one heading are said by what their ids begin with. */
function clausesText(ids: readonly string[]): string {
  const groups = groupBy(ids.toSorted(), (id) => id.split('.')[0] ?? '');
  return Array.from(groups, ([prefix, same]) =>
    same.length > 4 ? `\`${prefix}.*\`` : same.map((id) => `\`${id}\``).join(', '),
  ).join(', ');
}

const names: readonly string[] = scenarios.map(({ name }) => name);

/** Which scenario happens to take over a task as another one has left it is chance: such readers do not count. */
function readersOf({ number, scenario, operation }: Exchange, readers: Readers): Reader[] {
  const isShared = operation === 'get-assessment' || !names.includes(scenario);
  return [...(readers.get(number) ?? [])].filter((one) => isShared || one.scenario === scenario);
}

/** What each answer to a valid read is looked at by, when all scenarios are done. */
const ofEveryRead = 'errors.server-error-does-not-last';

test('every answer of a run is held to a clause, as docs/answers.md has it', async () => {
  const trace = new Trace();
  let exchanges: readonly Exchange[] = [];
  await trace.during(async () => {
    const onEnd = (all: readonly Exchange[]): void => {
      exchanges = all;
    };
    await runAgainst(
      { pastEvents: 12_000, onEnd },
      scenarios.map((one) => trace.of(one)),
    );
  });
  const rows = Array.from(
    groupBy(exchanges, (one) => JSON.stringify([one.scenario, kindOf(one)])).values(),
    (same) => {
      const [first] = same;
      const ids = same.flatMap((one) => [
        ...readersOf(one, trace.readers).map(({ clause }) => clause),
        ...(isValidRead(one, 'http://own.region.test/v5') ? [ofEveryRead] : []),
      ]);
      return { by: first.scenario, kind: kindOf(first), ids: [...new Set(ids)] };
    },
  ).toSorted((a, b) => (a.by + a.kind < b.by + b.kind ? -1 : 1));

  expect(rows.filter(({ ids }) => ids.length === 0)).toEqual([]);
  const lines = rows.map(({ by, kind, ids }) => `| ${by} | ${kind} | ${clausesText(ids)} |`);
  const text = [
    '# What each answer is held to',
    '',
    'The requests of a run against the embedded service, by who sends them, and the clauses whose judges and observations read',
    'their answers. `npm run update` makes this page of what they read; `prefix.*` are more than four clauses that begin so.',
    '',
    '| sent by | request | clauses |',
    '| ------- | ------- | ------- |',
    ...lines,
    '',
  ].join('\n');
  // With other data some scenarios ask for something else.
  if (process.env.PROOF_SEED !== undefined) return;
  await expect(text).toMatchFileSnapshot('../docs/answers.md');
});
