import { isSame } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { examples } from '../../helpers/exports/filter-candidates.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { events } from './relations.ts';

/*
 * The document gives examples of event types, subtypes and sources (4. Export audit events). Where one list keeps events
 * by the examples of another and none by its own, it is compared with what belongs to the other.
 */

const lists = ['event_type', 'sub_type', 'system_source'] as const;
type NamedList = (typeof lists)[number];

const examplesOf = (list: NamedList): readonly string[] => examples[list] ?? [];

/** What a list keeps by a value. */
interface Asked {
  readonly list: NamedList;
  readonly value: string;
  readonly download: CsvDownload;
}

interface Exchange {
  readonly knowledge: Knowledge;
  /** Each example under each list; none where every list is known to select by its own. */
  readonly asked: readonly Asked[];
}

/** Whether its own examples are among what it is known to select by. */
function isItself(list: NamedList, { filters }: Knowledge): boolean {
  const { values = [], shown } = filters.known.get(list) ?? {};
  const known = [...values.map(({ value }) => value), ...(shown?.values ?? [])];
  return examplesOf(list).some((value) => known.includes(value));
}

const exchanged = scenario({
  name: 'event_type, sub_type and system_source each keep events by their own examples, not by those of another',
  async act({ exports }): Promise<Exchange> {
    const knowledge = await exports.knowledge();
    if (lists.every((list) => isItself(list, knowledge))) return { knowledge, asked: [] };
    const asked = await Promise.all(
      lists.flatMap((list) =>
        lists.flatMap(examplesOf).map(async (value) => ({
          list,
          value,
          download: await exports.within({ filters: { [list]: [value] } }),
        })),
      ),
    );
    return { knowledge, asked };
  },
  judges: {
    'export.filters-by-event-type': judging('event_type'),
    'export.filters-by-sub-type': judging('sub_type'),
    'export.filters-by-system-source': judging('system_source'),
  },
});

/**
 * @throws Violation where the list keeps nothing by its own examples, and by one of another list what that one keeps, or
 * the other one keeps events by an example of this one
 */
function judging(list: NamedList) {
  return ({ knowledge, asked }: Exchange): void => {
    const by = (other: NamedList, value: string) =>
      asked.find((one) => one.list === other && one.value === value);
    const keepsNone = (one: Asked | undefined) => one?.download.table?.count === 0;
    const keepsSome = (one: Asked | undefined) => (one?.download.table?.count ?? 0) > 0;
    const own = examplesOf(list).flatMap((value) => by(list, value) ?? []);
    const isNoOwn = own.length > 0 && own.every(keepsNone);
    const isShown = own.some(({ value }) => shows(knowledge, value));
    for (const other of isNoOwn ? lists.filter((one) => one !== list) : []) {
      const taken = own.map(({ value }) => by(other, value)).find(keepsSome);
      for (const value of examplesOf(other)) {
        const [here, there] = [by(list, value), by(other, value)];
        if (here === undefined || there === undefined || !keepsSome(here)) continue;
        const isTheSame =
          isShown && keepsSome(there) && areSame(here.download, there.download, knowledge);
        if (taken === undefined && !isTheSame) continue;
        throw new Violation(
          {
            kind: 'other',
            wrong: 'takes for another parameter',
            parameter: list,
            of: other,
          },
          [...own, here, taken ?? there].map(({ download }) => download.answer),
        );
      }
    }
    // That events are kept by them is no more than it seems.
    if (own.some(keepsSome)) throw new NothingSeen();
    throw new NotJudged(
      'No event has a value that the document gives as an example: these would show which list a parameter filters by.',
    );
  };
}

/** Whether a cell holds the value, and no text about it. */
function shows({ base }: Knowledge, value: string): boolean {
  return base.table.rows.some((row) =>
    row.some((cell) => cell === value || cell.includes(`"${value}"`)),
  );
}

function areSame(one: CsvDownload, other: CsvDownload, { columns }: Knowledge): boolean {
  return isSame(events(one, columns), events(other, columns));
}

export const exchangedListScenarios = [exchanged];
