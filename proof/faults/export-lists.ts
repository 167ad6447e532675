import { auditeeColumn } from '../../reference/export/columns.ts';
import { ExportRefused } from '../../reference/export/query.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { type ExportRules, exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { type ListFilter, listFilters } from '../../schemas/operations.ts';
import { auditTrailClauses, clauseOfList, combinedFilterClauses } from '../clause-groups.ts';
import { allColumnsBut } from '../exports.ts';
import { eachOnce, type Fault, fault } from './fault.ts';

type Matches = (value: string, wanted: readonly string[]) => boolean;

const includes: Matches = (value, wanted) => wanted.includes(value);

/** A filter that matches wrongly; the other filters are right. */
const matching = (filter: ListFilter, wrongly: Matches): Pick<ExportRules, 'matchesList'> => ({
  matchesList: (value, wanted, other) => (other === filter ? wrongly : includes)(value, wanted),
});

/** Reads a filter's values wrongly; those of the other filters are right. */
const reading = (
  filter: ListFilter,
  wrongly: (values: readonly string[]) => readonly string[],
): Pick<ExportRules, 'readList'> => ({
  readList(parameters, name) {
    const values = exportRules.readList(parameters, name);
    return name === filter ? wrongly(values) : values;
  },
});

const longName = 'a_periodic_review_of_its_data_was_';

/** What a wrong filter breaks; the audit trail is looked for by the user too. */
const brokenBy = (filter: ListFilter) => ({
  breaks: [clauseOfList(filter)],
  mayBreak:
    filter === 'auditee_id'
      ? [...combinedFilterClauses, ...auditTrailClauses]
      : combinedFilterClauses,
});

/** What a list filter can get wrong about single values. */
const wrongMatches: Readonly<Record<string, Matches>> = {
  'is-ignored': () => true,
  'matches-nothing': () => false,
  'matches-beginnings': (value, wanted) => wanted.some((text) => value.startsWith(text)),
  'matches-parts': (value, wanted) => wanted.some((text) => value.includes(text)),
};

/** A value of a list that is taken for a pattern. */
const matchesPattern =
  (source: (wanted: string) => string): Matches =>
  (value, wanted) =>
    wanted.some((text) => new RegExp(`^${source(text)}$`).test(value));

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');

/** What a list of words can get wrong besides. */
const wrongPatterns: Readonly<Record<string, Matches>> = {
  'takes-stars': matchesPattern((wanted) => escaped(wanted).replaceAll('*', '.*')),
  'takes-regular-expressions': matchesPattern((wanted) => `(?:${wanted.replace(/^\*/, '')})`),
};

/** The other lists whose values one of them can take for its own. */
const neighbours: Readonly<Partial<Record<ListFilter, ListFilter>>> = {
  event_type: 'sub_type',
  sub_type: 'system_source',
  system_source: 'event_type',
};

/** Compares the value of the one and of the other field. */
const selectingByBoth = (filter: ListFilter, other: ListFilter): Partial<ExportRules> => ({
  // The values of both in one text, as only one is handed on.
  listedValue: (event, asked) =>
    asked === filter
      ? `${exportRules.listedValue(event, filter)}\0${exportRules.listedValue(event, other)}`
      : exportRules.listedValue(event, asked),
  matchesList: (value, wanted) => value.split('\0').some((one) => wanted.includes(one)),
});

/** What a list filter can get wrong about several values. */
const wrongReadings: Readonly<Record<string, (values: readonly string[]) => readonly string[]>> = {
  'uses-the-first-value-only': (values) => values.slice(0, 1),
  'uses-the-last-value-only': (values) => values.slice(-1),
  'ignores-the-third-value': (values) => values.filter((_, index) => index !== 2),
};

/** Nothing shows which user ids there are. */
const canMatch = (filter: ListFilter, wrong: string): boolean =>
  filter !== 'auditee_id' || wrong !== 'matches-nothing';

const wrongFilters = listFilters.flatMap((filter): readonly Fault[] => [
  ...Object.entries(wrongMatches)
    .filter(([wrong]) => canMatch(filter, wrong))
    .map(([wrong, matches]) =>
      fault(`export-${dashed(filter)}-${wrong}`, brokenBy(filter), matching(filter, matches)),
    ),
  ...Object.entries(filter in neighbours ? wrongPatterns : {}).map(([wrong, matches]) =>
    fault(`export-${dashed(filter)}-${wrong}`, brokenBy(filter), matching(filter, matches)),
  ),
  ...Object.entries(neighbours)
    .filter(([one]) => one === filter)
    .map(([, other]) =>
      fault(
        `export-${dashed(filter)}-selects-by-${dashed(other)}-too`,
        brokenBy(filter),
        selectingByBoth(filter, other),
      ),
    ),
  ...Object.entries(wrongReadings).map(([wrong, read]) =>
    fault(`export-${dashed(filter)}-${wrong}`, ['export.lists-are-any-of'], reading(filter, read)),
  ),
  fault(
    `export-${dashed(filter)}-keeps-what-does-not-match`,
    brokenBy(filter),
    matching(filter, (value, wanted) => !wanted.includes(value)),
  ),
  fault(
    `export-${dashed(filter)}-is-enough-whatever-the-other-filters`,
    ['export.filters-combine'],
    {
      isKept: (met) =>
        exportRules.isKept(met) || (met.lists[filter] === true && met.range.every(Boolean)),
    },
  ),
]);

/** An id is looked up, and the events of all people of that name are kept. */
function byName(
  areNamesakes: (events: readonly AuditEvent[]) => readonly string[],
): Partial<Rules> {
  let namesakes: readonly string[] = [];
  // By the first event of a service: they stay the same while others are recorded.
  const known = new WeakMap<AuditEvent, readonly string[]>();
  const nameOf = (id: string): string => (namesakes.includes(id) ? 'A. Smith' : id);
  return {
    storedEvents: (events) => {
      const [first] = events;
      if (first === undefined) return events;
      namesakes = known.get(first) ?? areNamesakes(events);
      known.set(first, namesakes);
      return events;
    },
    ...matching('auditee_id', (value, wanted) => wanted.map(nameOf).includes(nameOf(value))),
  };
}

const isOfOneHalf = (id: string): boolean => /^[0-7]/.test(id);

/** Those who cause the fewest events. */
function rarest(events: readonly AuditEvent[], count: number): readonly string[] {
  const times = new Map<string, number>();
  for (const { auditeeId } of events) times.set(auditeeId, (times.get(auditeeId) ?? 0) + 1);
  return [...times.keys()]
    .sort((one, other) => (times.get(one) ?? 0) - (times.get(other) ?? 0))
    .slice(0, count);
}

/** List filters that match wrongly, and values of lists that are lost (4. Export audit events). */
export const exportListFaults: readonly Fault[] = [
  ...wrongFilters,
  fault(
    'export-auditee-id-matches-nothing',
    { breaks: ['audit.event-names-its-records'], mayBreak: ['export.filters-by-auditee-id'] },
    matching('auditee_id', () => false),
  ),
  fault(
    'export-auditee-id-keeps-the-events-of-people-of-the-same-name',
    {
      breaks: ['export.lists-are-any-of'],
      mayBreak: [...brokenBy('auditee_id').breaks, ...brokenBy('auditee_id').mayBreak],
    },
    byName((events) => rarest(events, 4)),
  ),
  fault(
    'export-auditee-id-keeps-the-events-of-people-of-the-same-name-whom-rows-do-not-show',
    brokenBy('auditee_id'),
    {
      ...byName((events) => events.map(({ auditeeId }) => auditeeId).filter(isOfOneHalf)),
      csvColumns: () => allColumnsBut(auditeeColumn),
    },
  ),
  fault('export-lists-match-events-with-all-their-values', ['export.lists-are-any-of'], {
    matchesList: (value, wanted) => wanted.every((text) => text === value),
  }),
  fault(
    'export-lists-of-more-than-two-values-are-refused',
    { breaks: ['export.lists-are-any-of'], mayBreak: ['export.answers-200'] },
    {
      readList(parameters, name) {
        const values = exportRules.readList(parameters, name);
        if (values.length > 2) throw new ExportRefused(`${name} has too many values`);
        return values;
      },
    },
  ),
  fault('export-values-that-are-sent-twice-double-their-events', ['export.lists-are-any-of'], {
    exportedEvents: (selected, { lists }) => {
      const hasDouble = Object.values(lists).some((values) => new Set(values).size < values.length);
      return hasDouble ? selected.flatMap((event) => [event, event]) : selected;
    },
  }),
  // Of long names, two begin alike, and no search asks for both.
  fault('export-sub-types-count-by-their-first-32-characters', brokenBy('sub_type'), {
    storedEvents: eachOnce((event) =>
      event.subType === 'assigned' || event.subType === 'unassigned'
        ? { ...event, subType: `${longName}${event.subType}` }
        : event,
    ),
    ...matching('sub_type', (value, wanted) =>
      wanted.some((one) => one.slice(0, 32) === value.slice(0, 32)),
    ),
  }),
];
