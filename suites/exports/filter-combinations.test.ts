import { describe, expect, it } from 'vitest';
import { multiset } from '../../helpers/csv/multiset.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import { filtersOf, thirdKey } from './filter-combinations.ts';

/** What is known of events that show the values of their filters; none where an event has no such value. */
function knownOf(events: readonly Readonly<Partial<Record<Filter, string>>>[]): Knowledge {
  const rows = events.map((values, index) => [`event ${index}`, JSON.stringify(values)]);
  const names = [...new Set(events.flatMap((values) => Object.keys(values)))] as Filter[];
  const known = new Map(
    names.map((filter) => {
      const values = [...new Set(events.flatMap((one) => one[filter] ?? []))].map((value) => ({
        value,
        events: multiset(rows.filter((_, index) => events[index]?.[filter] === value)),
      }));
      return [filter, { values }];
    }),
  );
  const base = { table: { rows, count: rows.length } };
  const encoding = { best: 'repeat', forTwoValues: ['repeat'] };
  // The cast: nothing else of what is known is used.
  return {
    filters: { known },
    base,
    columns: { ignored: new Set() },
    encoding,
  } as unknown as Knowledge;
}

const ofEntity = { 'metadata[entity_id]': 'e' };
const ofAssessment = { ...ofEntity, 'metadata[assessment_id]': 'a' };

describe('three metadata keys', () => {
  it('are such that the third, in the order of the document, leaves events out', () => {
    const known = knownOf([
      { 'metadata[tag]': 't', ...ofAssessment },
      ofAssessment,
      ofEntity,
      { 'metadata[tag]': 't' },
    ]);
    const [found] = thirdKey(known, []);
    expect(found && filtersOf(found)).toEqual({
      'metadata[entity_id]': ['e'],
      'metadata[assessment_id]': ['a'],
      'metadata[tag]': ['t'],
    });
    expect(found?.expected.most.size).toBe(1);
    expect(found && thirdKey(known, [found])).toEqual([]);
  });

  it('may leave all events out where no others are known', () => {
    const known = knownOf([ofAssessment, ofAssessment, { 'metadata[cache_id]': 'c' }]);
    expect(thirdKey(known, [])[0]?.expected.most.size).toBe(0);
  });

  it('are none where the third makes no difference', () => {
    const all = { ...ofAssessment, 'metadata[tag]': 't' };
    expect(thirdKey(knownOf([all, all, {}]), [])).toEqual([]);
  });
});
