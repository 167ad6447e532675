import { implied, open, section, statedOfEach } from '../clause.ts';
import { type ListFilter, listFilters, metadataKeys } from '../operations.ts';

const heading = '4. Export audit events: query parameters';

const keptBy: Readonly<Record<ListFilter, string>> = {
  auditee_id: 'caused by the given users',
  event_type: 'of the given types',
  sub_type: 'of the given subtypes',
  system_source: 'from the given sources',
};

export const exportFilterClauses = section(heading, {
  ...statedOfEach(
    'export.filters-by-',
    listFilters,
    (name) => `${name} keeps the events ${keptBy[name]}, and only those.`,
  ),
  'export.lists-are-any-of': implied(
    'Several values of a list parameter keep the events that match any of them.',
  ),
  'export.array-encoding': open(
    'say how several values of a list parameter are encoded in the query',
  ),
  'export.case-of-filter-values': open(
    'say whether upper and lower case are told apart in the values of filters',
  ),
  ...statedOfEach(
    'export.filters-by-metadata-',
    metadataKeys,
    (key) => `metadata[${key}] keeps the events with that value, and only those.`,
  ),
  // The document says that keys may be combined; that all of them must match is the natural reading.
  'export.metadata-keys-combine': implied(
    'Several metadata keys may be combined in one request: events that match all of them are kept.',
  ),
  'export.brackets-of-metadata': open(
    'say whether the brackets of metadata[<key>] are sent percent-encoded or as they are',
  ),
  'export.unknown-metadata-key': open('say how a metadata key that is not allowed is answered'),
  'export.filters-combine': implied(
    'Different filters in one request keep the events that match all of them.',
  ),
});

export const exportRangeClauses = section(heading, {
  'export.range-start-includes-its-instant':
    'range_start keeps the events from that time on, one at exactly that time included, and none before.',
  'export.range-end-includes-its-instant':
    'range_end keeps the events up to and including that time, and none after.',
  'export.ranges-split-without-loss': implied(
    'A range split in two at an instant holds the same events as both halves together.',
  ),
  'export.range-combines-with-filters': implied(
    'A range and a filter in one request keep the events that match both.',
  ),
  'export.range-bounds-are-independent': implied(
    'range_start and range_end may be left out, either or both: that side is then unbounded.',
  ),
  'export.range-bounds-are-instants': implied(
    'A bound is an instant: written with or without fractional digits, it selects the same events.',
  ),
  'export.range-start-equal-to-end': implied('A range_start equal to range_end is a valid range.'),
  'export.range-with-offset': open(
    'say whether a bound may be written with the offset +00:00 in place of Z',
  ),
  'export.null-range': open(
    'say how a null bound or time zone is written in a query, nor what an empty one does',
  ),
  'export.malformed-range': open(
    'say whether a bound may be a day without a time or a time without seconds, nor what the refusal of a bound that is no datetime looks like',
  ),
});
