import { type Variant, variant } from './variant.ts';

const quoted = /^"(.*)"$/;

/** What writes get that the document does not describe: the version, the media type, the body. */
const requests: readonly Variant[] = [
  ...[400, 403, 409, 412, 422].map((status) =>
    variant(`a-missing-if-match-is-${status}`, 'update.missing-if-match-status', {
      rules: { ifMatchProblem: (header) => (header === undefined ? status : 'none') },
    }),
  ),
  ...[403, 404, 409, 415, 422, 500].map((status) =>
    variant(`an-invalid-body-is-${status}`, 'update.refused-body-status', {
      follows: ['update.body-with-neither-object'],
      rules: { invalidBodyStatus: () => status },
    }),
  ),
  variant('the-version-is-checked-before-the-body', 'update.refused-body-status', {
    rules: { isCheckedFirst: () => 'version' },
  }),
  variant('a-quoted-version-is-accepted', 'update.quoted-if-match', {
    rules: { versionInIfMatch: (header) => quoted.exec(header)?.[1] ?? header },
  }),
  variant('a-quoted-or-weak-version-is-accepted', 'update.quoted-if-match', {
    rules: { versionInIfMatch: (header) => header.replace(/^(W\/)?"(.*)"$/, '$2') },
  }),
  variant('a-quoted-version-is-400', 'update.quoted-if-match', {
    rules: {
      ifMatchProblem(header) {
        if (header === undefined) return 428;
        return quoted.test(header) ? 400 : 'none';
      },
    },
  }),
  variant('a-star-matches-any-version', 'update.if-match-star', {
    rules: { starMatches: () => true },
  }),
  ...[400, 412].map((status) =>
    variant(`a-star-for-the-version-is-${status}`, 'update.if-match-star', {
      rules: {
        ifMatchProblem(header) {
          if (header === undefined) return 428;
          return header === '*' ? status : 'none';
        },
      },
    }),
  ),
  variant('the-same-instant-is-the-same-version', 'update.if-match-same-instant', {
    rules: {
      versionMatches: (given, { current }) =>
        given === current || Date.parse(given) === Date.parse(current),
    },
  }),
  variant('any-media-type-is-read-as-json', 'update.other-content-types', {
    rules: { mediaTypeProblem: () => 'none' },
  }),
  variant('another-media-type-is-400', 'update.other-content-types', {
    rules: {
      mediaTypeProblem: (contentType) =>
        contentType?.startsWith('application/json') ? 'none' : 400,
    },
  }),
  variant('a-missing-media-type-is-read-as-json', 'update.other-content-types', {
    rules: {
      mediaTypeProblem: (contentType = 'application/json') =>
        /^application\/(.*\+)?json\b/i.test(contentType) ? 'none' : 415,
    },
  }),
  variant('a-body-with-both-objects-assigns', 'update.body-with-both-objects', {
    rules: { bodyWithBoth: () => 'update' },
  }),
  variant('a-body-with-both-objects-unassigns', 'update.body-with-both-objects', {
    rules: { bodyWithBoth: () => 'unassign' },
  }),
  variant('a-body-with-both-objects-is-422', 'update.body-with-both-objects', {
    rules: { bodyWithBoth: () => 422 },
  }),
  variant('a-body-with-neither-object-changes-nothing', 'update.body-with-neither-object', {
    rules: { bodyWithNeither: () => 'leave' },
  }),
  variant('a-body-with-neither-object-is-422', 'update.body-with-neither-object', {
    rules: { bodyWithNeither: () => 422 },
  }),
  variant('unassigning-an-unassigned-task-changes-nothing', 'unassign.on-an-unassigned-task', {
    rules: { unassignUnassigned: () => 'leave' },
  }),
  ...[400, 404, 409, 422].map((status) =>
    variant(`unassigning-an-unassigned-task-is-${status}`, 'unassign.on-an-unassigned-task', {
      rules: { unassignUnassigned: () => status },
    }),
  ),
];

/** What becomes of comments where the document is silent. */
const comments: readonly Variant[] = [
  variant('an-empty-comment-becomes-null', 'comment.when-empty', {
    rules: { commentToStore: (comment) => comment || null },
  }),
  variant('an-empty-comment-is-refused', 'comment.when-empty', {
    rules: { commentProblem: (comment) => (comment === '' ? 'It is empty.' : undefined) },
  }),
  variant('a-comment-of-white-space-becomes-null', 'comment.surrounding-white-space', {
    follows: ['comment.when-empty'],
    rules: { commentToStore: (comment) => (comment?.trim() === '' ? null : (comment ?? null)) },
  }),
  variant('white-space-around-a-comment-is-taken-away', 'comment.surrounding-white-space', {
    rules: { commentToStore: (comment) => comment?.trim() ?? null },
  }),
  variant('white-space-behind-a-comment-is-taken-away', 'comment.surrounding-white-space', {
    rules: { commentToStore: (comment) => comment?.trimEnd() ?? null },
  }),
  ...[255, 2000].map((limit) =>
    variant(`a-comment-over-${limit}-characters-is-refused`, 'comment.length-limit', {
      rules: {
        commentProblem: (comment) => (comment.length > limit ? 'It is too long.' : undefined),
      },
    }),
  ),
];

/** Writes that are answered otherwise where the document leaves it open (1. Update a task assignment, States and transitions). */
export const writeVariants: readonly Variant[] = [...requests, ...comments];
