import { bodyRules, isObject } from '../../reference/rules/body.ts';
import { identifierPattern } from '../../schemas/identifier.ts';
import { isTimestamp } from '../../schemas/timestamp.ts';
import { type Variant, variant } from './variant.ts';

const quoted = /^"(.*)"$/;

const isUuid = new RegExp(identifierPattern);

/** A body with its numbers as texts, as some JSON readers give them where a text is due. */
const numbersAsTexts = (text: string): unknown => {
  const body = bodyRules.readBody(text);
  return body === undefined
    ? undefined
    : JSON.parse(JSON.stringify(body), (field, value) =>
        typeof value === 'number' && field !== 'assigned_to_type' ? String(value) : value,
      );
};

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
  variant('numbers-in-a-body-are-read-as-texts', 'update.refused-body-status', {
    rules: { readBody: numbersAsTexts },
  }),
  variant('a-comment-that-is-a-number-is-written-as-text', 'update.refused-body-status', {
    rules: {
      readBody(text) {
        const body = bodyRules.readBody(text);
        const update = isObject(body) && isObject(body.update) ? body.update : undefined;
        return typeof update?.assignment_comment === 'number'
          ? { update: { ...update, assignment_comment: String(update.assignment_comment) } }
          : body;
      },
    },
  }),
  variant('a-read-of-an-id-that-is-not-uuid-shaped-is-400', 'errors.further-statuses', {
    rules: { idProblem: (id) => (isUuid.test(id) ? 'none' : 400) },
  }),
  variant('an-id-that-is-not-uuid-shaped-is-422', 'errors.further-statuses', {
    rules: { idProblem: (id) => (isUuid.test(id) ? 'none' : 422) },
  }),
  ...[400, 422].map((status) =>
    variant(`an-if-match-that-is-no-timestamp-is-${status}`, 'errors.further-statuses', {
      follows: ['update.quoted-if-match', 'update.if-match-star', 'update.missing-if-match-status'],
      rules: {
        ifMatchProblem(header) {
          if (header === undefined) return 428;
          return isTimestamp(header) ? 'none' : status;
        },
      },
    }),
  ),
  variant('versions-are-compared-by-the-second', 'update.if-match-same-instant', {
    rules: {
      timestamp: (at) => new Date(at).toISOString().replace(/\.\d+/, ''),
      versionMatches: (given, { current }) =>
        Math.floor(Date.parse(given) / 1000) === Math.floor(Date.parse(current) / 1000),
    },
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
  variant('carriage-returns-in-a-comment-are-dropped', 'comment.normalization', {
    rules: { commentToStore: (comment) => comment?.replaceAll('\r', '') ?? null },
  }),
  variant('line-feeds-in-a-comment-become-pairs', 'comment.normalization', {
    rules: { commentToStore: (comment) => comment?.replace(/\r?\n/g, '\r\n') ?? null },
  }),
  ...(['NFC', 'NFD'] as const).map((form) =>
    variant(`a-comment-is-normalized-to-${form.toLowerCase()}`, 'comment.normalization', {
      rules: { commentToStore: (comment) => comment?.normalize(form) ?? null },
    }),
  ),
  ...[100, 255, 2000].map((limit) =>
    variant(`a-comment-over-${limit}-characters-is-refused`, 'comment.length-limit', {
      // Some of the comments whose line ends and letters are looked at are longer than that.
      follows: limit === 100 ? ['comment.normalization'] : [],
      rules: {
        commentProblem: (comment) => (comment.length > limit ? 'It is too long.' : undefined),
      },
    }),
  ),
];

/** Writes that are answered otherwise where the document leaves it open (1. Update a task assignment, States and transitions). */
export const writeVariants: readonly Variant[] = [...requests, ...comments];
