import { bodyRules, isObject } from '../../reference/rules/body.ts';
import { identifierPattern, isTimestamp } from '../../schemas/resources.ts';
import { table } from '../faults/fault.ts';
import { refusingComments, type Variant, variant } from './variant.ts';

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
      ifMatchProblem: (header) => (header === undefined ? status : 'none'),
    }),
  ),
  ...[403, 404, 409, 415, 422, 500].map((status) =>
    variant(
      `an-invalid-body-is-${status}`,
      { opens: 'update.refused-body-status', follows: ['update.body-with-neither-object'] },
      { invalidBodyStatus: () => status },
    ),
  ),
  ...table(variant, 'update.refused-body-status', {
    'the-version-is-checked-before-the-body': { isCheckedFirst: () => 'version' },
    'numbers-in-a-body-are-read-as-texts': { readBody: numbersAsTexts },
    'a-comment-that-is-a-number-is-written-as-text': {
      readBody(text) {
        const body = bodyRules.readBody(text);
        const update = isObject(body) && isObject(body.update) ? body.update : undefined;
        return typeof update?.assignment_comment === 'number'
          ? { update: { ...update, assignment_comment: String(update.assignment_comment) } }
          : body;
      },
    },
  }),
  ...table(variant, 'errors.further-statuses', {
    'a-read-of-an-id-that-is-not-uuid-shaped-is-400': {
      idProblem: (id) => (isUuid.test(id) ? 'none' : 400),
    },
    'an-id-that-is-not-uuid-shaped-is-422': { idProblem: (id) => (isUuid.test(id) ? 'none' : 422) },
  }),
  ...[400, 422].map((status) =>
    variant(
      `an-if-match-that-is-no-timestamp-is-${status}`,
      {
        opens: 'errors.further-statuses',
        follows: [
          'update.quoted-if-match',
          'update.if-match-star',
          'update.missing-if-match-status',
        ],
      },
      {
        ifMatchProblem(header) {
          if (header === undefined) return 428;
          return isTimestamp(header) ? 'none' : status;
        },
      },
    ),
  ),
  variant('versions-are-compared-by-the-second', 'update.if-match-same-instant', {
    timestamp: (at) => new Date(at).toISOString().replace(/\.\d+/, ''),
    versionMatches: (given, { current }) =>
      Math.floor(Date.parse(given) / 1000) === Math.floor(Date.parse(current) / 1000),
  }),
  ...table(variant, 'update.quoted-if-match', {
    'a-quoted-version-is-accepted': {
      versionInIfMatch: (header) => quoted.exec(header)?.[1] ?? header,
    },
    'a-quoted-or-weak-version-is-accepted': {
      versionInIfMatch: (header) => header.replace(/^(W\/)?"(.*)"$/, '$2'),
    },
    'a-quoted-version-is-400': {
      ifMatchProblem(header) {
        if (header === undefined) return 428;
        return quoted.test(header) ? 400 : 'none';
      },
    },
  }),
  variant('a-star-matches-any-version', 'update.if-match-star', { starMatches: () => true }),
  ...[400, 412].map((status) =>
    variant(`a-star-for-the-version-is-${status}`, 'update.if-match-star', {
      ifMatchProblem(header) {
        if (header === undefined) return 428;
        return header === '*' ? status : 'none';
      },
    }),
  ),
  variant('the-same-instant-is-the-same-version', 'update.if-match-same-instant', {
    versionMatches: (given, { current }) =>
      given === current || Date.parse(given) === Date.parse(current),
  }),
  ...table(variant, 'update.other-content-types', {
    'any-media-type-is-read-as-json': { mediaTypeProblem: () => 'none' },
    'another-media-type-is-400': {
      mediaTypeProblem: (contentType) =>
        contentType?.startsWith('application/json') ? 'none' : 400,
    },
    'a-missing-media-type-is-read-as-json': {
      mediaTypeProblem: (contentType = 'application/json') =>
        /^application\/(.*\+)?json\b/i.test(contentType) ? 'none' : 415,
    },
  }),
  ...[400, 411].map((status) =>
    variant(
      `a-body-in-chunks-is-${status}`,
      { opens: 'errors.further-statuses', unseen: 'The write is made with its length then.' },
      (handle) => async (request) =>
        request.headers['transfer-encoding'] === undefined
          ? handle(request)
          : { status, headers: { 'content-type': 'text/html' }, body: '<h1>No length</h1>' },
    ),
  ),
  ...table(variant, 'update.body-with-both-objects', {
    'a-body-with-both-objects-assigns': { bodyWithBoth: () => 'update' },
    'a-body-with-both-objects-unassigns': { bodyWithBoth: () => 'unassign' },
    'a-body-with-both-objects-is-422': { bodyWithBoth: () => 422 },
  }),
  ...table(variant, 'update.body-with-neither-object', {
    'a-body-with-neither-object-changes-nothing': { bodyWithNeither: () => 'leave' },
    'a-body-with-neither-object-is-422': { bodyWithNeither: () => 422 },
  }),
  variant('unassigning-an-unassigned-task-changes-nothing', 'unassign.on-an-unassigned-task', {
    unassignUnassigned: () => 'leave',
  }),
  ...[400, 404, 409, 422].map((status) =>
    variant(`unassigning-an-unassigned-task-is-${status}`, 'unassign.on-an-unassigned-task', {
      unassignUnassigned: () => status,
    }),
  ),
];

/** What becomes of comments where the document is silent. */
const comments: readonly Variant[] = [
  ...table(variant, 'comment.when-empty', {
    'an-empty-comment-becomes-null': { commentToStore: (comment) => comment || null },
    'an-empty-comment-is-refused': refusingComments((comment) => comment === ''),
  }),
  variant(
    'a-comment-of-white-space-becomes-null',
    { opens: 'comment.surrounding-white-space', follows: ['comment.when-empty'] },
    { commentToStore: (comment) => (comment?.trim() === '' ? null : (comment ?? null)) },
  ),
  ...table(variant, 'comment.surrounding-white-space', {
    'white-space-around-a-comment-is-taken-away': {
      commentToStore: (comment) => comment?.trim() ?? null,
    },
    'white-space-behind-a-comment-is-taken-away': {
      commentToStore: (comment) => comment?.trimEnd() ?? null,
    },
    'a-comment-with-white-space-around-it-is-refused': refusingComments(
      (comment) => comment.trim() !== comment,
    ),
  }),
  ...table(variant, 'comment.normalization', {
    'carriage-returns-in-a-comment-are-dropped': {
      commentToStore: (comment) => comment?.replaceAll('\r', '') ?? null,
    },
    'line-feeds-in-a-comment-become-pairs': {
      commentToStore: (comment) => comment?.replace(/\r?\n/g, '\r\n') ?? null,
    },
  }),
  ...(['NFC', 'NFD'] as const).map((form) =>
    variant(`a-comment-is-normalized-to-${form.toLowerCase()}`, 'comment.normalization', {
      commentToStore: (comment) => comment?.normalize(form) ?? null,
    }),
  ),
  ...[100, 255, 2000].map((limit) =>
    variant(
      `a-comment-over-${limit}-characters-is-refused`,
      {
        opens: 'comment.length-limit',
        // Some of the comments whose line ends and letters are looked at are longer than that.
        follows: limit === 100 ? ['comment.normalization'] : [],
      },
      refusingComments((comment) => comment.length > limit),
    ),
  ),
];

/** Writes that are answered otherwise where the document leaves it open (1. Update a task assignment, States and transitions). */
export const writeVariants: readonly Variant[] = [...requests, ...comments];
