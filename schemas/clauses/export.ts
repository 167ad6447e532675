import { implied, open, section, stated, statedOfEach } from '../clause.ts';
import { type ListFilter, listFilters, metadataKeys } from '../operations.ts';

const heading = '4. Export audit events';

const keptBy: Readonly<Record<ListFilter, string>> = {
  auditee_id: 'caused by the given users',
  event_type: 'of the given types',
  sub_type: 'of the given subtypes',
  system_source: 'from the given sources',
};

export const exportClauses = {
  ...section(heading, {
    'export.needs-the-apikey':
      'Exporting requires the apikey header: without it, the response is 401.',
    'export.answers-200': 'A valid export request is answered with status 200.',
    'export.parameters-are-optional':
      'Every query parameter may be omitted, each one alone and all together.',
    'export.is-repeatable': implied(
      'The same export of a closed window in the past, requested twice, holds the same events.',
    ),
    'export.refusal-carries-no-events': implied(
      'A refused export (400 or 401) carries no file and no events.',
    ),
    'export.no-response-body': stated(
      'Besides the file there is no response body.',
      'The file is the body: the document does not say what else there could be.',
    ),
  }),
  ...section('4. Export audit events: query parameters', {
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
    'export.range-start-equal-to-end': implied(
      'A range_start equal to range_end is a valid range.',
    ),
    'export.range-with-offset': open(
      'say whether a bound may be written with the offset +00:00 in place of Z',
    ),
    'export.null-range': open(
      'say how a null bound or time zone is written in a query, nor what an empty one does',
    ),
    'export.malformed-range': open(
      'say whether a bound may be a day without a time or a time without seconds, nor what the refusal of a bound that is no datetime looks like',
    ),
  }),
  ...section(heading, {
    'export.csv-is-one-table': 'file_type csv gives a file that reads as one CSV table.',
    'export.pdf-opens': 'file_type pdf gives a file that opens as a PDF.',
    'export.file-type-defaults-to-csv': 'Without file_type the export is a CSV file.',
    'export.content-length-is-true': implied(
      'The file arrives complete: if Content-Length is sent, it is the length of the file.',
    ),
    'export.pdf-holds-the-events-of-the-csv': implied(
      'The PDF of a query holds every event that the CSV of the same query holds, and no other.',
    ),
    'export.csv-has-no-limit-of-5000': implied(
      'The limit of 5,000 events applies to PDF only: a CSV may hold more.',
    ),
    'export.locale-keeps-the-events': implied(
      'The locale changes how an export reads, not which events it holds.',
    ),
    'export.locale-defaults-to-en': 'Without locale the export is that of locale en.',
    'export.timezone-formats-the-dates':
      'Dates are written in the given timezone, an IANA identifier, with daylight saving time observed.',
    'export.timezone-keeps-the-events': implied(
      'The timezone changes how dates read, not which events are exported.',
    ),
    'export.csv-columns': open('say which columns a CSV export has'),
    'export.csv-form': open(
      'say which delimiter, byte order mark, line ends, quoting and headings a CSV export has',
    ),
    'export.date-style': open('say how dates are written in an export'),
    'export.order-of-events': open('say in which order events stand in an export'),
    'export.pdf-form': open('say which page size and layout a PDF export has'),
    'export.csv-content-type': open('say which content type an exported CSV has'),
    'export.pdf-content-type': open('say which content type an exported PDF has'),
    'export.file-name': open(
      'say which name an exported file has, nor how it is offered as a download (Content-Disposition)',
    ),
    'export.supported-locales': open('list the supported locales'),
    'export.unknown-locale': open('say how a locale that is not supported is answered'),
    'export.unknown-timezone': open('say how a time zone that does not exist is answered'),
    'export.unknown-file-type': open(
      'say whether csv and pdf may be written in capitals, nor what the refusal of another file_type looks like',
    ),
  }),
};
