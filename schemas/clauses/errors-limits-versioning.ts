import { implied, open, section, stated } from '../clause.ts';

export const errorClauses = section('Errors', {
  'errors.reversed-range-is-400': stated(
    'An export whose range_start is later than its range_end is answered with 400.',
  ),
  'errors.unexpected-error-is-500': stated(
    'An unexpected error of the export is answered with 500.',
    { untestable: 'No valid request makes a service fail on purpose.' },
  ),
  'errors.passing-500': open(
    'The document does not say whether an export that fails with 500 succeeds when it is asked for again.',
  ),
  'errors.body-shape': open('The document does not say what the body of an error looks like.'),
  'errors.further-statuses': open('The document does not list all error codes.'),
});

export const limitClauses = section('Limits', {
  'limits.pdf-of-5000-events-is-allowed': stated(
    'A PDF export of 5,000 events is within the limit.',
  ),
  'limits.pdf-over-5000-events-is-400': stated(
    'A PDF export that would hold more than 5,000 events is answered with 400.',
  ),
  'limits.pdf-limit-counts-what-filters-leave': implied(
    'The limit counts the events that the request would export: narrower filters make the PDF possible.',
  ),
  'limits.rate': open('The document does not say whether the rate of requests is limited.'),
  'limits.csv-size': open('The document does not say how large a CSV export may be.'),
});

export const versioningClauses = section('Versioning', {
  'versioning.paths-are-under-v5': stated(
    'Every path of the four operations is served under /v5 of the regional base address.',
  ),
  'versioning.deprecation': open(
    'The document does not say which other versions there are and how versions are deprecated.',
    { untestable: 'They lie outside the one base address that the document gives.' },
  ),
});
