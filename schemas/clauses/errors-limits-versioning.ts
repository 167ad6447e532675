import { implied, open, section, stated } from '../clause.ts';

export const errorClauses = {
  ...section('Errors', {
    'errors.reversed-range-is-400':
      'An export whose range_start is later than its range_end is answered with 400.',
    // The document says "the request is invalid, for example …". A bound that is no datetime and a file type
    // other than csv and pdf contradict the table of parameters. Values that the table does not list (zones, locales),
    // and keys and parameters that may be ignored are left open, but may not lead to an unexpected error.
    'errors.invalid-export-is-400': implied(
      'An export with a bound that is no datetime, or with a file_type that is neither csv nor pdf, is an invalid request: 400.',
    ),
    'errors.odd-value-is-no-server-error': implied(
      'A value of an export parameter that is unknown or invalid (a bound, a file type, a locale, a time zone, a metadata key) is ignored or refused, but not answered with 5xx.',
    ),
    'errors.unexpected-error-is-500': stated(
      'An unexpected error of the export is answered with 500.',
      'No valid request makes a service fail on purpose.',
    ),
    // The document has an unexpected 500 of the export, and no 5xx of the other operations. An unexpected error does not
    // come each time, and a restart is over after some seconds.
    'errors.server-error-does-not-last': implied(
      'A request that the document describes is not answered with 5xx again and again: a server error is unexpected, and has passed when the request is sent once more at the end of the run.',
    ),
    'errors.body-shape': open('say what the body of an error looks like'),
    'errors.further-statuses': open('list all error codes'),
    'errors.passing-failure-of-an-export': open(
      'say whether an export that fails with 500 succeeds when it is requested again',
    ),
  }),
  ...section('Errors: 409 Version mismatch', {
    'conflict.differing-version-is-409':
      'A write whose If-Match differs from the current updated_at of the task is answered with 409.',
    'conflict.text-that-is-no-version-is-409': implied(
      'An If-Match that is not a timestamp at all differs from the current updated_at too: 409, or 400 or 422 from a service that looks at its form first.',
    ),
    'conflict.changes-nothing': implied(
      'A write refused with a version mismatch leaves the task unchanged.',
    ),
    'conflict.retry-with-the-latest-version':
      'After a 409 the caller re-reads the task and retries with the latest updated_at, which succeeds.',
    'conflict.one-of-simultaneous-writes-wins': implied(
      'Of several simultaneous writes with the same current version exactly one is carried out; the others get 409.',
    ),
  }),
  ...section('Limits', {
    'limits.pdf-of-5000-events-is-allowed': 'A PDF export of 5,000 events is within the limit.',
    'limits.pdf-over-5000-events-is-400':
      'A PDF export that would hold more than 5,000 events is answered with 400.',
    'limits.pdf-limit-counts-what-filters-leave': implied(
      'The limit counts the events that the request would export: narrower filters make the PDF possible.',
    ),
    'limits.rate': open('say whether the rate of requests is limited'),
    'limits.csv-size': open('say how large a CSV export may be'),
  }),
  ...section('Versioning', {
    'versioning.paths-are-under-v5':
      'Every path of the four operations is served under /v5 of the regional base address.',
    'versioning.deprecation': open(
      'say which other versions there are and how versions are deprecated',
      'They lie outside the one base address that the document gives.',
    ),
  }),
};
