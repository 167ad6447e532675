import { base, en, Faker } from '@faker-js/faker';
import { type MetadataKey, metadataKeys } from '../schemas/operations.ts';
import type { AuditEvent } from './records.ts';
import { idsOf, type World } from './world.ts';

/** Which events there were. */
export interface Past {
  /** The records that they are about; further ones are invented. */
  readonly world: Pick<World, 'tasks' | 'assessments' | 'users'>;
  /** When the last one happened, in milliseconds since 1970 UTC. */
  readonly endsAt: number;
  /** How many there are. */
  readonly count: number;
}

const span = 240 * 24 * 60 * 60 * 1000;

/**
 * Where several events share a millisecond, by number: no window from either end of the past holds exactly 5,000
 * events, so that one must begin elsewhere.
 */
const crowded = [0, 700, 4_998, 5_500, 6_998, 9_300, 11_996];
const crowd = 4;

const types = ['assessment', 'Assessment', 'assess', 'task', 'screening', 'document'];
const subTypes = ['created', 'updated', 'update', 'Created', 'deleted', 'assigned', 'unassigned'];
const sources = [
  'assessment_service',
  'task_platform',
  'Task_Platform',
  'task_platform_v2',
  'screening_service',
];
const tags = ['kyc', 'KYC', 'kyc-high', 'pep', 'high risk', 'a,b;c', 'geprüft', 'KYC+AML'];
const steps = ['review', 'Review', 'review-2', 'Four eyes check', 'Décision', 'close "case"'];

const memory = new Map<string, readonly AuditEvent[]>();

/** The events of about eight months, in the order of time. Made once for the same seed, ids, end and count. */
export function pastEvents(seed: number, past: Past): readonly AuditEvent[] {
  const { world, endsAt, count } = past;
  // The ids of a seed are the same, but for how they are written.
  const key = JSON.stringify([seed, idsOf(world.tasks), endsAt, count]);
  const known = memory.get(key);
  if (known !== undefined) return known;
  const events = makeEvents(new Faker({ locale: [en, base], seed }), past);
  memory.set(key, events);
  return events;
}

function makeEvents(faker: Faker, past: Past): readonly AuditEvent[] {
  const { tasks, assessments, users: known } = past.world;
  const uuids = (count: number) => Array.from({ length: count }, () => faker.string.uuid());
  const users = [...idsOf(known), ...uuids(12)];
  const metadataValues: Readonly<Record<MetadataKey, readonly string[]>> = {
    entity_id: [...assessments.map((one) => one.entity_id), ...uuids(8)],
    assessment_id: [...idsOf(assessments), ...uuids(8)],
    task_id: [...idsOf(tasks), ...uuids(8)],
    workflow_instance_id: [...assessments.map((one) => one.workflow_instance_id), ...uuids(8)],
    screening_application_id: uuids(5),
    screening_config_id: uuids(4),
    match_id: uuids(9),
    inquiry_id: uuids(6),
    tag: tags,
    cache_id: uuids(7),
    workflow_step: steps,
  };
  const metadata = (): AuditEvent['metadata'] => {
    // Few keys on most events, all of them on some: every pair of keys meets.
    const share = faker.helpers.weightedArrayElement([
      { value: 0.15, weight: 8 },
      { value: 0.4, weight: 3 },
      { value: 1, weight: 1 },
    ]);
    const kept = metadataKeys.filter(() => faker.number.float() < share);
    return Object.fromEntries(kept.map((name) => [name, pick(faker, metadataValues[name])]));
  };
  return instants(faker, past).map((at) => {
    const eventType = pick(faker, types);
    const subType = pick(faker, subTypes);
    return {
      id: faker.string.uuid(),
      at,
      auditeeId: pick(faker, users),
      eventType,
      subType,
      systemSource: pick(faker, sources),
      metadata: metadata(),
      description: `${eventType} ${subType}`,
      comment: faker.number.float() < 0.3 ? faker.helpers.arrayElement(pastComments) : null,
    };
  });
}

/** The first values are far more frequent than the last, so that filters differ in how many events they select. */
function pick(faker: Faker, values: readonly string[]): string {
  const index = Math.floor(values.length * faker.number.float() ** 2);
  // A float below one keeps the index inside the list, which is never empty.
  return values[index] as string;
}

function instants(faker: Faker, { endsAt, count }: Past): readonly number[] {
  const start = endsAt - span;
  const inner = Array.from({ length: count - 2 }, () => start + faker.number.int(span));
  const all = [start, ...inner, endsAt].sort((a, b) => a - b);
  for (const first of crowded.filter((at) => at + crowd <= count))
    all.fill(all[first] ?? endsAt, first, first + crowd);
  all.fill(endsAt, -crowd);
  return all;
}

/** Comments that are hard to write into files and to read back from them. */
export const pastComments: readonly string[] = [
  'Looks fine.',
  'Please check again, the passport expired last year.',
  'She said "no", twice.',
  '"quoted"',
  'One line\nand another',
  'Windows line\r\nand another, with a comma',
  'semicolon; comma, tab\tand "quotes"',
  'Überprüfung abgeschlossen, keine Auffälligkeiten',
  'Vérifié à la main ; rien à signaler',
  'Zażółć gęślą jaźń',
  'Проверено, замечаний нет',
  'Ελέγχθηκε, όλα εντάξει',
  'مرحبا بالعالم',
  '確認済み、問題なし',
  'Thank you 😀 see you 😎',
  '=SUM(A1:A9) is text, not a formula',
  'A long one: the documents that were handed in on the first day do not agree with the ones of the second day, so that both sets were sent back and asked for again, with a note on what was missing.',
];
