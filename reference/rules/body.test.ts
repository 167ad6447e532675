import { expect, test } from 'vitest';
import { bodyRules } from './body.ts';

const update = { assigned_by_id: 'a', assigned_to_id: 'b', assigned_to_type: 'TEAM' };

test.each([
  ['an assignment', { update }],
  ['an assignment with a comment', { update: { ...update, assignment_comment: '' } }],
  ['an assignment with a null comment', { update: { ...update, assignment_comment: null } }],
  ['an assignment with a further field', { update: { ...update, priority: 1 } }],
  ['an unassignment', { unassign: { assigned_by_id: 'a' } }],
  ['neither object, which is a rule of its own', {}],
])('nothing is wrong with %s', (_name, body) => {
  expect(bodyRules.bodyProblem(body)).toBeUndefined();
});

test.each([
  [undefined, 'The body is not a JSON object.'],
  [null, 'The body is not a JSON object.'],
  [[{ update }], 'The body is not a JSON object.'],
  [{ update: null }, '`update` is not an object.'],
  [{ update: [update] }, '`update` is not an object.'],
  [
    { update: { ...update, assigned_by_id: undefined } },
    '`update.assigned_by_id` is not a string.',
  ],
  [{ update: { ...update, assigned_to_id: 7 } }, '`update.assigned_to_id` is not a string.'],
  [{ update: { ...update, assigned_to_type: null } }, '`update.assigned_to_type` is not a string.'],
  [
    { update: { ...update, assigned_to_type: 'team' } },
    '`update.assigned_to_type` is neither USER nor TEAM.',
  ],
  [
    { update: { ...update, assignment_comment: 7 } },
    '`update.assignment_comment` is neither a string nor null.',
  ],
  [{ unassign: {} }, '`unassign.assigned_by_id` is not a string.'],
  [{ update, unassign: {} }, '`unassign.assigned_by_id` is not a string.'],
])('%j is refused', (body, problem) => {
  expect(bodyRules.bodyProblem(body)).toBe(problem);
});

test.each([
  ['application/json', 'none'],
  ['Application/JSON; charset=utf-8', 'none'],
  ['application/json-patch+json', 415],
  ['text/plain', 415],
  [undefined, 415],
] as const)('the media type %s', (contentType, problem) => {
  expect(bodyRules.mediaTypeProblem(contentType)).toBe(problem);
});
