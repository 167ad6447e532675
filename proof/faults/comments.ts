import type { ServiceRequest } from '../../reference/request.ts';
import { assignmentRules } from '../../reference/rules/assignment.ts';
import { bodyRules } from '../../reference/rules/body.ts';
import { type Fault, fault, isObject, table } from './fault.ts';

/** A comment that is not kept to the letter. */
const corrupting = (id: string, corrupt: (comment: string) => string | null): Fault =>
  fault(id, ['comment.is-on-the-assignment'], {
    commentToStore: (comment) => (typeof comment === 'string' ? corrupt(comment) : null),
  });

/** A body that is refused although it is right. */
const refused = (
  id: string,
  breaks: Fault['breaks'],
  isRefused: (name: 'update' | 'unassign', object: Readonly<Record<string, unknown>>) => boolean,
): Fault =>
  fault(id, breaks, {
    bodyProblem(body) {
      for (const name of ['update', 'unassign'] as const) {
        const object = isObject(body) ? body[name] : undefined;
        if (isObject(object) && isRefused(name, object)) return 'The comment is wrong.';
      }
      return bodyRules.bodyProblem(body);
    },
  });

const unassigning = ['unassign.comment-is-optional'] as const;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Some assignments are carried out as if they had no comment. */
const losing = (
  id: string,
  isMeant: (update: Readonly<Record<string, unknown>>, request: ServiceRequest) => boolean,
): Fault =>
  fault(
    id,
    {
      breaks: ['comment.is-on-the-assignment'],
      mayBreak: ['update.answers-with-the-new-assignment'],
    },
    (handle) => (request) => {
      const body = bodyRules.readBody(request.body);
      const update = isObject(body) && isObject(body.update) ? body.update : undefined;
      if (update === undefined || !isMeant(update, request)) return handle(request);
      const without = { update: { ...update, assignment_comment: null } };
      return handle({ ...request, body: JSON.stringify(without) });
    },
  );

/** Comments cut, mangled, lost, kept too long, or refused (1. Update a task assignment). */
export const commentFaults: readonly Fault[] = [
  fault(
    'a-comment-is-lost',
    ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
    { commentToStore: () => null },
  ),
  fault(
    'a-comment-sent-in-chunks-is-lost',
    ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
    (handle) => (request) => {
      const isMeant = request.headers['transfer-encoding'] !== undefined;
      const body = request.body.replace(/("assignment_comment":)"(?:[^"\\]|\\.)*"/, '$1null');
      return handle(isMeant ? { ...request, body } : request);
    },
  ),
  corrupting('a-comment-is-cut-at-255-characters', (comment) => comment.slice(0, 255)),
  corrupting('a-comment-is-cut-at-1000-characters', (comment) => comment.slice(0, 1000)),
  corrupting('a-comment-is-cut-at-2000-characters', (comment) => comment.slice(0, 2000)),
  corrupting('a-comment-is-cut-at-3999-characters', (comment) => comment.slice(0, 3999)),
  corrupting('white-space-in-a-comment-is-collapsed', (comment) => comment.replace(/\s+/g, ' ')),
  corrupting('other-white-space-in-a-comment-becomes-spaces', (comment) =>
    comment.replace(/[\t\u00a0]/g, ' '),
  ),
  corrupting('a-comment-is-normalized-to-nfkc', (comment) => comment.normalize('NFKC')),
  corrupting('a-comment-that-begins-like-a-formula-gets-an-apostrophe', (comment) =>
    comment.replace(/^(?=[=+@-])/, "'"),
  ),
  corrupting('blank-lines-in-a-comment-become-one', (comment) =>
    comment.replace(/\n{3,}/g, '\n\n'),
  ),
  corrupting('a-comment-is-cut-at-its-first-line', (comment) => comment.split(/\r?\n/)[0] ?? ''),
  corrupting('a-comment-is-decoded-like-a-query', (comment) =>
    comment.replaceAll('+', ' ').replaceAll('%25', '%'),
  ),
  corrupting('a-comment-is-html-escaped', (comment) =>
    comment.replace(/[&<>"']/g, (character) => entities[character] ?? character),
  ),
  corrupting('markup-in-a-comment-is-removed', (comment) => comment.replace(/<[^>]*>/g, '')),
  corrupting('emoji-in-a-comment-are-dropped', (comment) =>
    comment.replace(/\p{Extended_Pictographic}/gu, ''),
  ),
  corrupting('emoji-in-a-comment-become-question-marks', (comment) =>
    comment.replace(/[\u{10000}-\u{10FFFF}]/gu, '?'),
  ),
  corrupting('other-scripts-in-a-comment-become-question-marks', (comment) =>
    comment.replace(/[\u{100}-\u{10FFFF}]/gu, '?'),
  ),
  corrupting('line-breaks-in-a-comment-become-spaces', (comment) =>
    comment.replace(/\s*\r?\n\s*/g, ' '),
  ),
  corrupting('double-quotes-in-a-comment-become-single-ones', (comment) =>
    comment.replaceAll('"', "'"),
  ),
  corrupting('quotes-in-a-comment-are-escaped', (comment) => comment.replace(/["']/g, '\\$&')),
  fault(
    'a-comment-in-another-letter-case-leaves-the-one-before',
    ['comment.is-on-the-assignment'],
    {
      commentToStore: (comment, earlier) =>
        comment?.toLowerCase() === earlier?.assignment_comment?.toLowerCase()
          ? (earlier?.assignment_comment ?? null)
          : (comment ?? null),
    },
  ),
  ...table(fault, ['comment.is-not-carried-over'], {
    'an-empty-comment-leaves-the-earlier-one': {
      commentToStore: (comment, earlier) =>
        (comment === '' ? earlier?.assignment_comment : comment) ?? null,
    },
    'the-comment-of-the-earlier-assignment-is-kept': {
      commentToStore: (comment, earlier) => comment ?? earlier?.assignment_comment ?? null,
    },
    'the-comment-of-the-earlier-assignment-is-kept-where-none-is-sent': {
      commentToStore: (comment, earlier) =>
        (comment === undefined ? earlier?.assignment_comment : comment) ?? null,
    },
  }),
  ...table(fault, ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'], {
    'the-comment-of-the-earlier-assignment-is-prepended': {
      commentToStore: (comment, earlier) =>
        earlier?.assignment_comment && comment
          ? `${earlier.assignment_comment}\n${comment}`
          : (comment ?? null),
    },
    'a-comment-is-stored-only-on-the-first-assignment': {
      commentToStore: (comment, earlier) =>
        earlier ? null : assignmentRules.commentToStore(comment, earlier),
    },
    'a-comment-for-a-team-is-lost': {
      newAssignment(change, comment, earlier) {
        const asked = assignmentRules.newAssignment(change, comment, earlier);
        const isTeam = asked?.assigned_to_type === 'TEAM';
        return isTeam ? { ...asked, assignment_comment: null } : asked;
      },
    },
  }),
  losing(
    'a-comment-sent-with-a-charset-to-oneself-is-lost',
    (update, { headers }) =>
      headers['content-type']?.includes('charset') === true &&
      update.assigned_to_id === update.assigned_by_id,
  ),
  losing('a-comment-for-a-team-whose-type-comes-before-its-id-is-lost', (update) => {
    const fields = Object.keys(update);
    const isBefore = fields.indexOf('assigned_to_type') < fields.indexOf('assigned_to_id');
    return isBefore && update.assigned_to_type === 'TEAM';
  }),
  {
    ...fault(
      'an-assignment-to-oneself-without-a-comment-keeps-the-last-one',
      ['comment.is-not-carried-over'],
      {
        newAssignment(change, comment, earlier) {
          const asked = assignmentRules.newAssignment(change, comment, earlier);
          const isMeant = asked?.assigned_by_id === asked?.assigned_to_id && !comment;
          return asked && earlier && isMeant
            ? { ...asked, assignment_comment: earlier.assignment_comment }
            : asked;
        },
      },
    ),
  },
  ...table(fault, ['comment.is-not-carried-over'], {
    'a-null-comment-is-a-word-where-a-user-takes-a-task-that-nobody-has': {
      newAssignment(change, comment, earlier) {
        const asked = assignmentRules.newAssignment(change, comment, earlier);
        const isMeant = earlier === null && asked?.assigned_to_type === 'USER' && comment === null;
        return isMeant ? { ...asked, assignment_comment: 'null' } : asked;
      },
    },
    'an-empty-comment-brings-back-the-last-one-where-nobody-has-the-task': (handle) => {
      const last = new Map<string, unknown>();
      const unassigned = new Set<string>();
      return (request) => {
        const { target } = request;
        const body = bodyRules.readBody(request.body);
        if (!isObject(body) || request.method !== 'PUT') return handle(request);
        if (isObject(body.unassign)) unassigned.add(target);
        if (!isObject(body.update)) return handle(request);
        const { assignment_comment: comment } = body.update;
        const isMeant = comment === '' && unassigned.delete(target) && last.has(target);
        const update = { ...body.update, ...(isMeant && { assignment_comment: last.get(target) }) };
        unassigned.delete(target);
        if (comment) last.set(target, comment);
        return handle({ ...request, body: JSON.stringify({ update }) });
      };
    },
    'the-comment-before-an-empty-one-comes-back': (handle) => {
      const last = new Map<string, unknown>();
      const emptied = new Set<string>();
      return (request) => {
        const body = bodyRules.readBody(request.body);
        const update = isObject(body) && isObject(body.update) ? body.update : undefined;
        if (update === undefined) return handle(request);
        const { target } = request;
        const { assignment_comment: comment } = update;
        const back = comment == null && emptied.has(target) ? last.get(target) : comment;
        if (comment === '') emptied.add(target);
        else emptied.delete(target);
        if (typeof comment === 'string' && comment !== '') last.set(target, comment);
        return handle({
          ...request,
          body: JSON.stringify({ update: { ...update, assignment_comment: back } }),
        });
      };
    },
    'the-comment-comes-back-after-an-unassign': (handle) => {
      const comments = new Map<string, unknown>();
      return (request) => {
        const body = bodyRules.readBody(request.body);
        const update = isObject(body) && isObject(body.update) ? body.update : undefined;
        if (update === undefined) return handle(request);
        const { target } = request;
        const { assignment_comment: comment = comments.get(target) } = update;
        // Kept for as long as the task is unassigned, and used up with it.
        if (typeof update.assignment_comment === 'string') comments.set(target, comment);
        const commented = { update: { ...update, assignment_comment: comment } };
        return handle({ ...request, body: JSON.stringify(commented) });
      };
    },
    'a-task-without-a-comment-shows-that-of-another-of-its-entity': (handle) => {
      const last = new Map<unknown, { readonly of: string; readonly comment: unknown }>();
      return async (request) => {
        const { target } = request;
        const { update, unassign } = Object(bodyRules.readBody(request.body));
        const read = {
          ...request,
          method: 'GET',
          target: target.replace(/\/[^/]+$/, ''),
          body: '',
        };
        const isWrite = isObject(update) || isObject(unassign);
        const { entity_id: entity } = isWrite ? JSON.parse(String((await handle(read)).body)) : {};
        const before = last.get(entity);
        if (isWrite)
          last.set(entity, { of: target, comment: (update ?? unassign).assignment_comment });
        if (!isObject(update) || update.assignment_comment || !before || before.of === target)
          return handle(request);
        const commented = { update: { ...update, assignment_comment: before.comment ?? null } };
        return handle({ ...request, body: JSON.stringify(commented) });
      };
    },
    'the-comment-of-an-unassign-is-that-of-the-next-assignment': (handle) => {
      const comments = new Map<string, unknown>();
      return async (request) => {
        const { target } = request;
        const body = bodyRules.readBody(request.body);
        const { update, unassign } = isObject(body) ? body : {};
        if (isObject(update) && (update.assignment_comment ?? null) === null) {
          const comment = comments.get(target) ?? null;
          comments.delete(target);
          const commented = { update: { ...update, assignment_comment: comment } };
          return handle({ ...request, body: JSON.stringify(commented) });
        }
        const answer = await handle(request);
        if (answer.status === 200 && isObject(unassign)) {
          comments.set(target, unassign.assignment_comment ?? null);
        }
        return answer;
      };
    },
  }),
  refused(
    'an-assignment-without-a-comment-is-refused',
    ['update.comment-is-optional'],
    (name, object) => name === 'update' && object.assignment_comment === undefined,
  ),
  refused(
    'an-assignment-with-a-null-comment-is-refused',
    ['update.comment-is-optional'],
    (name, object) => name === 'update' && object.assignment_comment === null,
  ),
  ...table(refused, unassigning, {
    'an-unassignment-without-a-comment-is-refused': (name, object) =>
      name === 'unassign' && object.assignment_comment === undefined,
    'an-unassignment-with-a-null-comment-is-refused': (name, object) =>
      name === 'unassign' && object.assignment_comment === null,
    'an-unassignment-with-a-comment-is-refused': (name, object) =>
      name === 'unassign' && typeof object.assignment_comment === 'string',
  }),
];
