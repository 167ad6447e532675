import { section } from '../clause.ts';

export const errorClauses = section('Errors', {
  'errors.reversed-range-is-400': {
    level: 'stated',
    text: 'An export whose range_start is later than its range_end is answered with 400.',
  },
  'errors.unexpected-error-is-500': {
    level: 'stated',
    text: 'An unexpected error of the export is answered with 500.',
    untestable: 'No valid request makes a service fail on purpose.',
  },
  'errors.body-shape': {
    level: 'open',
    text: 'The shape of the body of an error is not shown.',
  },
  'errors.further-statuses': {
    level: 'open',
    text: 'A complete list of error codes is not shown.',
  },
});

export const limitClauses = section('Limits', {
  'limits.pdf-of-5000-events-is-allowed': {
    level: 'stated',
    text: 'A PDF export of 5,000 events is within the limit.',
  },
  'limits.pdf-over-5000-events-is-400': {
    level: 'stated',
    text: 'A PDF export that would hold more than 5,000 events is answered with 400.',
  },
  'limits.pdf-limit-counts-what-filters-leave': {
    level: 'implied',
    text: 'The limit counts the events that the request would export: narrower filters make the PDF possible.',
  },
  'limits.rate': {
    level: 'open',
    text: 'Rate limits are not shown.',
  },
  'limits.csv-size': {
    level: 'open',
    text: 'The maximum size of a CSV export is not shown.',
  },
});

export const versioningClauses = section('Versioning', {
  'versioning.paths-are-under-v5': {
    level: 'stated',
    text: 'Every path of the four operations is served under /v5 of the regional base address.',
  },
  'versioning.deprecation': {
    level: 'open',
    text: 'Deprecation policy and other versions are not shown.',
    untestable: 'They lie outside the one base address that the document gives.',
  },
});
