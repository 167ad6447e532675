import { assignmentRules } from '../rules/assignment.ts';
import { bodyRules } from '../rules/body.ts';
import type { Fault } from './fault.ts';
import { isObject } from './replaced.ts';

/** A comment that is not kept to the letter. */
const spoilt = (id: string, spoil: (comment: string) => string | null): Fault => ({
  id,
  breaks: ['comment.is-on-the-assignment'],
  rules: {
    commentToStore: (comment) => (typeof comment === 'string' ? spoil(comment) : null),
  },
});

/** A body that is refused although it is right. */
const refused = (
  id: string,
  breaks: Fault['breaks'],
  isRefused: (name: 'update' | 'unassign', object: Readonly<Record<string, unknown>>) => boolean,
): Fault => ({
  id,
  breaks,
  rules: {
    bodyProblem(body) {
      for (const name of ['update', 'unassign'] as const) {
        const object = isObject(body) ? body[name] : undefined;
        if (isObject(object) && isRefused(name, object)) return 'The comment is wrong.';
      }
      return bodyRules.bodyProblem(body);
    },
  },
});

const unassigning = [
  'unassign.comment-is-optional',
  'update.answers-with-the-updated-task',
] as const;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Comments cut, mangled, lost, kept too long, or refused (1. Update a task assignment). */
export const commentFaults: readonly Fault[] = [
  {
    id: 'a-comment-is-lost',
    breaks: ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
    rules: { commentToStore: () => null },
  },
  spoilt('a-comment-is-cut-at-255-characters', (comment) => comment.slice(0, 255)),
  spoilt('a-comment-is-cut-at-1000-characters', (comment) => comment.slice(0, 1000)),
  spoilt('a-comment-is-cut-at-2000-characters', (comment) => comment.slice(0, 2000)),
  spoilt('a-comment-is-cut-at-3999-characters', (comment) => comment.slice(0, 3999)),
  spoilt('white-space-in-a-comment-is-collapsed', (comment) => comment.replace(/\s+/g, ' ')),
  spoilt('other-white-space-in-a-comment-becomes-spaces', (comment) =>
    comment.replace(/[\t\u00a0]/g, ' '),
  ),
  spoilt('carriage-returns-in-a-comment-are-dropped', (comment) => comment.replaceAll('\r', '')),
  spoilt('line-feeds-in-a-comment-become-pairs', (comment) => comment.replace(/\r?\n/g, '\r\n')),
  ...(['NFC', 'NFD', 'NFKC'] as const).map((form) =>
    spoilt(`a-comment-is-normalized-to-${form.toLowerCase()}`, (comment) =>
      comment.normalize(form),
    ),
  ),
  spoilt('a-comment-is-cut-at-its-first-line', (comment) => comment.split(/\r?\n/)[0] ?? ''),
  spoilt('a-comment-is-decoded-like-a-query', (comment) =>
    comment.replaceAll('+', ' ').replaceAll('%25', '%'),
  ),
  spoilt('a-comment-is-html-escaped', (comment) =>
    comment.replace(/[&<>"']/g, (character) => entities[character] ?? character),
  ),
  spoilt('markup-in-a-comment-is-removed', (comment) => comment.replace(/<[^>]*>/g, '')),
  spoilt('emoji-in-a-comment-are-dropped', (comment) =>
    comment.replace(/\p{Extended_Pictographic}/gu, ''),
  ),
  spoilt('emoji-in-a-comment-become-question-marks', (comment) =>
    comment.replace(/[\u{10000}-\u{10FFFF}]/gu, '?'),
  ),
  spoilt('other-scripts-in-a-comment-become-question-marks', (comment) =>
    comment.replace(/[\u{100}-\u{10FFFF}]/gu, '?'),
  ),
  spoilt('line-breaks-in-a-comment-become-spaces', (comment) =>
    comment.replace(/\s*\r?\n\s*/g, ' '),
  ),
  spoilt('double-quotes-in-a-comment-become-single-ones', (comment) =>
    comment.replaceAll('"', "'"),
  ),
  spoilt('quotes-in-a-comment-are-escaped', (comment) => comment.replace(/["']/g, '\\$&')),
  {
    id: 'the-comment-of-the-earlier-assignment-is-kept',
    breaks: ['comment.is-not-carried-over'],
    rules: {
      commentToStore: (comment, earlier) => comment ?? earlier?.assignment_comment ?? null,
    },
  },
  {
    id: 'the-comment-of-the-earlier-assignment-is-kept-where-none-is-sent',
    breaks: ['comment.is-not-carried-over'],
    rules: {
      commentToStore: (comment, earlier) =>
        (comment === undefined ? earlier?.assignment_comment : comment) ?? null,
    },
  },
  {
    id: 'the-comment-of-the-earlier-assignment-is-prepended',
    breaks: ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
    rules: {
      commentToStore: (comment, earlier) =>
        earlier?.assignment_comment && comment
          ? `${earlier.assignment_comment}\n${comment}`
          : (comment ?? null),
    },
  },
  {
    id: 'a-comment-is-stored-only-on-the-first-assignment',
    breaks: ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
    rules: {
      commentToStore: (comment, earlier) =>
        earlier ? null : assignmentRules.commentToStore(comment, earlier),
    },
  },
  {
    id: 'a-comment-for-a-team-is-lost',
    breaks: ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = assignmentRules.newAssignment(change, comment, earlier);
        const isTeam = asked?.assigned_to_type === 'TEAM';
        return isTeam ? { ...asked, assignment_comment: null } : asked;
      },
    },
  },
  {
    id: 'the-comment-comes-back-after-an-unassign',
    breaks: ['comment.is-not-carried-over'],
    wire: (handle) => {
      const comments = new Map<string, unknown>();
      return (request) => {
        const body = bodyRules.readBody(request.body);
        const update = isObject(body) && isObject(body.update) ? body.update : undefined;
        if (update === undefined) return handle(request);
        const { target } = request;
        const { assignment_comment: comment = comments.get(target) } = update;
        // Kept for as long as the task is unassigned, and used up with it.
        if (update.assignment_comment !== undefined) comments.set(target, comment);
        const commented = { update: { ...update, assignment_comment: comment } };
        return handle({ ...request, body: JSON.stringify(commented) });
      };
    },
  },
  refused(
    'an-assignment-without-a-comment-is-refused',
    ['update.comment-is-optional', 'update.answers-with-the-updated-task'],
    (name, object) => name === 'update' && object.assignment_comment === undefined,
  ),
  refused(
    'an-assignment-with-a-null-comment-is-refused',
    ['update.comment-is-optional'],
    (name, object) => name === 'update' && object.assignment_comment === null,
  ),
  refused(
    'an-unassignment-without-a-comment-is-refused',
    unassigning,
    (name, object) => name === 'unassign' && object.assignment_comment === undefined,
  ),
  refused(
    'an-unassignment-with-a-null-comment-is-refused',
    unassigning,
    (name, object) => name === 'unassign' && object.assignment_comment === null,
  ),
  refused(
    'an-unassignment-with-a-comment-is-refused',
    unassigning,
    (name, object) => name === 'unassign' && typeof object.assignment_comment === 'string',
  ),
];
