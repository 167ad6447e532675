import type { Variant } from './variant.ts';

const quoted = /^"(.*)"$/;

/** What writes get that the document does not describe: the version, the media type, the body (1. Update a task assignment). */
export const refusedWriteVariants: readonly Variant[] = [
  ...[400, 403, 409, 412, 422].map(
    (status): Variant => ({
      id: `a-missing-if-match-is-${status}`,
      opens: 'update.missing-if-match-status',
      rules: { ifMatchProblem: (header) => (header === undefined ? status : 'none') },
    }),
  ),
  ...[403, 404, 409, 415, 422, 500].map(
    (status): Variant => ({
      id: `an-invalid-body-is-${status}`,
      opens: 'update.refused-body-status',
      follows: ['update.body-with-neither-object'],
      rules: { invalidBodyStatus: () => status },
    }),
  ),
  {
    id: 'the-version-is-checked-before-the-body',
    opens: 'update.refused-body-status',
    rules: { isCheckedFirst: () => 'version' },
  },
  {
    id: 'a-quoted-version-is-accepted',
    opens: 'update.quoted-if-match',
    rules: { versionInIfMatch: (header) => quoted.exec(header)?.[1] ?? header },
  },
  {
    id: 'a-quoted-or-weak-version-is-accepted',
    opens: 'update.quoted-if-match',
    rules: { versionInIfMatch: (header) => header.replace(/^(W\/)?"(.*)"$/, '$2') },
  },
  {
    id: 'a-quoted-version-is-400',
    opens: 'update.quoted-if-match',
    rules: {
      ifMatchProblem(header) {
        if (header === undefined) return 428;
        return quoted.test(header) ? 400 : 'none';
      },
    },
  },
  {
    id: 'a-star-matches-any-version',
    opens: 'update.if-match-star',
    rules: { starMatches: () => true },
  },
  ...[400, 412].map(
    (status): Variant => ({
      id: `a-star-for-the-version-is-${status}`,
      opens: 'update.if-match-star',
      rules: {
        ifMatchProblem(header) {
          if (header === undefined) return 428;
          return header === '*' ? status : 'none';
        },
      },
    }),
  ),
  {
    id: 'the-same-instant-is-the-same-version',
    opens: 'update.if-match-same-instant',
    rules: {
      versionMatches: (given, { current }) =>
        given === current || Date.parse(given) === Date.parse(current),
    },
  },
  {
    id: 'any-media-type-is-read-as-json',
    opens: 'update.other-content-types',
    rules: { mediaTypeProblem: () => 'none' },
  },
  {
    id: 'another-media-type-is-400',
    opens: 'update.other-content-types',
    rules: {
      mediaTypeProblem: (contentType) =>
        contentType?.startsWith('application/json') ? 'none' : 400,
    },
  },
  {
    id: 'a-missing-media-type-is-read-as-json',
    opens: 'update.other-content-types',
    rules: {
      mediaTypeProblem: (contentType = 'application/json') =>
        /^application\/(.*\+)?json\b/i.test(contentType) ? 'none' : 415,
    },
  },
  {
    id: 'a-body-with-both-objects-assigns',
    opens: 'update.body-with-both-objects',
    rules: { bodyWithBoth: () => 'update' },
  },
  {
    id: 'a-body-with-both-objects-unassigns',
    opens: 'update.body-with-both-objects',
    rules: { bodyWithBoth: () => 'unassign' },
  },
  {
    id: 'a-body-with-both-objects-is-422',
    opens: 'update.body-with-both-objects',
    rules: { bodyWithBoth: () => 422 },
  },
  {
    id: 'a-body-with-neither-object-changes-nothing',
    opens: 'update.body-with-neither-object',
    rules: { bodyWithNeither: () => 'leave' },
  },
  {
    id: 'a-body-with-neither-object-is-422',
    opens: 'update.body-with-neither-object',
    rules: { bodyWithNeither: () => 422 },
  },
  {
    id: 'unassigning-an-unassigned-task-changes-nothing',
    opens: 'unassign.on-an-unassigned-task',
    rules: { unassignUnassigned: () => 'leave' },
  },
  ...[400, 404, 409, 422].map(
    (status): Variant => ({
      id: `unassigning-an-unassigned-task-is-${status}`,
      opens: 'unassign.on-an-unassigned-task',
      rules: { unassignUnassigned: () => status },
    }),
  ),
];
