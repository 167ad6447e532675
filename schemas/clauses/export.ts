import { implied, open, section, stated } from '../clause.ts';

const heading = '4. Export audit events';

export const exportClauses = section(heading, {
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
});

export const exportFileClauses = section(heading, {
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
});
