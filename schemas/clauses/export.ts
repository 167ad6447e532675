import { section } from '../clause.ts';

const heading = '4. Export audit events';

export const exportClauses = section(heading, {
  'export.needs-the-apikey': {
    level: 'stated',
    text: 'Exporting requires the apikey header: without it, 401.',
  },
  'export.answers-200': {
    level: 'stated',
    text: 'A valid export request is answered with status 200.',
  },
  'export.parameters-are-optional': {
    level: 'stated',
    text: 'Every query parameter may be left out, one by one and all together.',
  },
  'export.is-repeatable': {
    level: 'implied',
    text: 'The same export of a closed window of the past, asked for twice, holds the same events.',
  },
  'export.refusal-carries-no-events': {
    level: 'implied',
    text: 'A refused export (400 or 401) carries no file and no events.',
  },
  'export.no-response-body': {
    level: 'stated',
    text: 'Besides the file there is no response body.',
    untestable: 'The file is the body: what more could be there is not said.',
  },
});

export const exportFileClauses = section(heading, {
  'export.csv-is-one-table': {
    level: 'stated',
    text: 'file_type csv gives a file that reads as one CSV table.',
  },
  'export.pdf-opens': {
    level: 'stated',
    text: 'file_type pdf gives a file that opens as a PDF.',
  },
  'export.file-type-defaults-to-csv': {
    level: 'stated',
    text: 'Without file_type the export is CSV.',
  },
  'export.content-length-is-true': {
    level: 'implied',
    text: 'The file arrives whole: a Content-Length, where sent, is its length.',
  },
  'export.pdf-holds-the-events-of-the-csv': {
    level: 'implied',
    text: 'The PDF of a query holds every event that the CSV of the same query holds, and no other.',
  },
  'export.csv-has-no-limit-of-5000': {
    level: 'implied',
    text: 'The limit of 5,000 events is the PDF’s: a CSV holds more.',
  },
  'export.locale-keeps-the-events': {
    level: 'implied',
    text: 'The locale changes how an export reads, not which events it holds.',
  },
  'export.locale-defaults-to-en': {
    level: 'stated',
    text: 'Without locale the export is that of locale en.',
  },
  'export.timezone-formats-the-dates': {
    level: 'stated',
    text: 'The timezone, an IANA identifier, is the one in which dates are written, daylight saving included.',
  },
  'export.timezone-keeps-the-events': {
    level: 'implied',
    text: 'The timezone changes how dates read, not which events are exported.',
  },
  'export.csv-columns': { level: 'open', text: 'The columns of a CSV export are not shown.' },
  'export.csv-form': {
    level: 'open',
    text: 'Delimiter, byte order mark, line ends, quoting and headings of a CSV export are not shown.',
  },
  'export.date-style': { level: 'open', text: 'How dates are written in an export is not shown.' },
  'export.order-of-events': {
    level: 'open',
    text: 'The order of events in an export is not shown.',
  },
  'export.pdf-form': { level: 'open', text: 'Page size and layout of a PDF export are not shown.' },
  'export.csv-content-type': {
    level: 'open',
    text: 'The content type of an exported CSV is not shown.',
  },
  'export.pdf-content-type': {
    level: 'open',
    text: 'The content type of an exported PDF is not shown.',
  },
  'export.file-name': { level: 'open', text: 'The name of an exported file is not shown.' },
  'export.supported-locales': {
    level: 'open',
    text: 'The list of supported locales is not shown.',
  },
  'export.unknown-locale': {
    level: 'open',
    text: 'What a locale that is not supported gets is not said.',
  },
  'export.unknown-timezone': {
    level: 'open',
    text: 'What a time zone that does not exist gets is not said.',
  },
  'export.unknown-file-type': {
    level: 'open',
    text: 'What a file_type other than csv and pdf gets is not said.',
  },
});
