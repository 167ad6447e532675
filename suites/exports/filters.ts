import { type Multiset, multiset, surelyBoth } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, filters } from '../../helpers/exports/query.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { exportAnswerJudges } from './answers.ts';
import { events, expectEvents, expectNoEvents, expectOnlyOf, noValues } from './relations.ts';

const clauseByFilter = {
  auditee_id: 'export.filters-by-auditee-id',
  event_type: 'export.filters-by-event-type',
  sub_type: 'export.filters-by-sub-type',
  system_source: 'export.filters-by-system-source',
  'metadata[entity_id]': 'export.filters-by-metadata-entity-id',
  'metadata[assessment_id]': 'export.filters-by-metadata-assessment-id',
  'metadata[task_id]': 'export.filters-by-metadata-task-id',
  'metadata[workflow_instance_id]': 'export.filters-by-metadata-workflow-instance-id',
  'metadata[screening_application_id]': 'export.filters-by-metadata-screening-application-id',
  'metadata[screening_config_id]': 'export.filters-by-metadata-screening-config-id',
  'metadata[match_id]': 'export.filters-by-metadata-match-id',
  'metadata[inquiry_id]': 'export.filters-by-metadata-inquiry-id',
  'metadata[tag]': 'export.filters-by-metadata-tag',
  'metadata[cache_id]': 'export.filters-by-metadata-cache-id',
  'metadata[workflow_step]': 'export.filters-by-metadata-workflow-step',
} as const satisfies Record<Filter, JudgedClause>;

interface Filtered {
  readonly knowledge: Knowledge;
  /** With a value that no event has; asked for only where no near value was answered. */
  readonly impossible: CsvDownload | undefined;
  /** With values that events have. */
  readonly known: readonly { readonly value: string; readonly download: CsvDownload }[];
  /** With values that are nearly one that events have: cut by a character, or in other case. */
  readonly near: readonly { readonly value: string; readonly download: CsvDownload }[];
}

function filtering(filter: Filter): AnyScenario {
  return scenario({
    name: `${filter} keeps the events that match, and only those`,
    async act({ exports }): Promise<Filtered> {
      const knowledge = await exports.knowledge();
      const ask = async (value: string) => ({
        value,
        download: await exports.within({ filters: { [filter]: [value] } }),
      });
      const { values = [] } = knowledge.filters.known.get(filter) ?? {};
      const [first] = values;
      const [known, near] = await Promise.all([
        Promise.all(valuesToAsk(filter, knowledge).map(ask)),
        Promise.all(first === undefined ? [] : nearValues(first.value).map(ask)),
      ]);
      // A value cut by a character is one that no event has, where it is not refused for its form.
      const needed = near[0]?.download.answer.status !== 200;
      const impossible = needed ? (await ask(knowledge.filters.impossible)).download : undefined;
      return { knowledge, impossible, known, near };
    },
    judges: {
      [clauseByFilter[filter]]: (filtered: Filtered) => judge(filter, filtered),
      ...exportAnswerJudges(({ known }: Filtered) => known.map(({ download }) => download.answer)),
    },
  });
}

/** One known value, and one that another value of the column begins with or differs from by case. */
function valuesToAsk(filter: Filter, { filters: { known }, base }: Knowledge): string[] {
  const { values = [], read } = known.get(filter) ?? {};
  const [first] = values;
  if (first === undefined) return [];
  if (read === undefined) return [first.value];
  const all = new Set(base.table.rows.flatMap((row) => read(row) ?? []));
  if (all.size > 500) return [first.value];
  const others = [...all].filter((value) => value !== '' && value !== first.value);
  const [ambiguous] = others
    .map((value) => ({ value, similar: similarValues(value, all) }))
    .filter(({ similar }) => similar > 0)
    .sort((a, b) => b.similar - a.similar)
    .map(({ value }) => value);
  return ambiguous === undefined ? [first.value] : [first.value, ambiguous];
}

/** How many values begin with this one, or differ from it by case only. */
function similarValues(value: string, all: ReadonlySet<string>): number {
  return [...all].filter(
    (other) =>
      other !== value && (other.startsWith(value) || other.toLowerCase() === value.toLowerCase()),
  ).length;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The value cut by a character, and in other case. Ids are cut only: a service may compare them as numbers. */
function nearValues(value: string): string[] {
  const cut = value.slice(0, -1);
  if (uuid.test(value)) return [cut];
  const upper = value.toUpperCase();
  return [cut, upper === value ? value.toLowerCase() : upper].filter(
    (near) => near !== '' && near !== value && near.trim() === near,
  );
}

function judge(filter: Filter, { knowledge, impossible, known, near }: Filtered): void {
  // A value that cannot exist may be refused; what that gets is open.
  if (impossible?.answer.status === 200) {
    expectNoEvents(`${filter} with a value that no event has`, impossible);
  }
  const { columns, base } = knowledge;
  const { values = [], read, unmatched } = knowledge.filters.known.get(filter) ?? {};
  const [first] = values;
  if (unmatched !== undefined && first === undefined) {
    throw new Violation(`${filter} with a value that rows show`, {
      expected: `${unmatched.times} events`,
      actual: 'none',
      on: [unmatched.download.answer],
    });
  }
  if (first === undefined) throw unknownValues(filter, impossible, knowledge);
  const showing = (value: string) =>
    multiset(
      read === undefined ? [] : base.table.rows.filter((row) => read(row) === value),
      columns.ignored,
    );
  for (const { value, download } of known) {
    if (read === undefined) judgeWithoutColumn(filter, download, knowledge);
    else expectEvents(`${filter} with a known value`, showing(value), download, columns);
  }
  for (const { value, download } of near) {
    // What is no value at all may be refused.
    if (download.answer.status !== 200) continue;
    if (read !== undefined)
      expectEvents(`${filter} with a value near a known one`, showing(value), download, columns);
    else judgeNear(filter, download, first.events, knowledge);
  }
}

/** Without a column that shows the value: the filter narrows, and does not keep everything. */
function judgeWithoutColumn(
  filter: Filter,
  download: CsvDownload,
  { base, columns }: Knowledge,
): void {
  const all = events(base.download, columns);
  expectOnlyOf(`${filter} with a known value`, all, download, columns);
  if (events(download, columns).size < all.size) return;
  throw new Violation(`${filter} with a known value`, {
    expected: 'fewer events than without it',
    actual: `all ${all.size}`,
    on: [download.answer],
  });
}

/** Another value keeps other events: none of those of the value that it is near to. */
function judgeNear(
  filter: Filter,
  download: CsvDownload,
  ofKnown: Multiset,
  { base, columns }: Knowledge,
): void {
  const all = events(base.download, columns);
  const shared = surelyBoth(events(download, columns), ofKnown, all);
  if (shared.size === 0) return;
  throw new Violation(`${filter} with a value near a known one`, {
    expected: 'none of the events of the known value',
    actual: `${shared.size} of them`,
    on: [download.answer],
  });
}

function unknownValues(
  filter: Filter,
  impossible: CsvDownload | undefined,
  knowledge: Knowledge,
): Error {
  if (impossible !== undefined && impossible.answer.status !== 200) {
    const { answer } = impossible;
    return new Inconclusive(`${answer.request} gave ${answer.status}.`, [answer]);
  }
  return noValues(`a value of ${filter} that occurs in the window; none was found`, knowledge);
}

export const filterScenarios = filters.map(filtering);
