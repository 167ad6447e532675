import { isDeepStrictEqual } from 'node:util';
import type { Rules } from '../../reference/rules.ts';
import { table } from '../faults/fault.ts';
import { type Variant, variant } from './variant.ts';

const nullable = (
  id: string,
  fields: readonly string[],
  follows: Variant['follows'] = [],
  hides: Variant['hides'] = [],
): Variant =>
  variant(
    id,
    { opens: 'task.nullable-fields', follows, hides },
    {
      presentTask: (task) => ({
        ...task,
        ...Object.fromEntries(fields.map((field) => [field, null])),
      }),
    },
  );

/** A number that looks random and follows from the one before: the same for the same seed. */
const scrambled = (number: number) => (number * 1_103_515_245 + 12_345) % 2_147_483_647;

/** Rules by which a write counts data_version otherwise. */
const counting = (next: (before: number) => number): Partial<Rules> => ({
  otherFieldsAfterWrite: (task, { data_version }) => ({
    ...task,
    data_version: next(data_version),
  }),
});

/** Fields whose values, nullability or rules the document does not show (Resources and their fields). */
export const openFieldVariants: readonly Variant[] = [
  nullable('locked-at-is-null', ['locked_at']),
  nullable('texts-of-a-task-are-null', ['c_name', 'step_name', 'status'], ['task.status-values']),
  nullable(
    'ids-of-a-task-are-null',
    ['microfrontend_id', 'assessment_template_id'],
    ['task.microfrontend-id-form'],
  ),
  nullable(
    'everything-that-may-be-null-is-null',
    [
      'assessment_id',
      'assessment_template_id',
      'c_name',
      'name',
      'created_at',
      'locked_at',
      'custom_metadata',
      'data_version',
      'entity_id',
      'institution_id',
      'microfrontend_id',
      'status',
      'step_name',
      'workflow_instance_id',
    ],
    [
      'service.task-agrees-with-its-assessment',
      'task.microfrontend-id-form',
      'task.status-values',
      'task.custom-metadata-contents',
      'task.data-version-rules',
    ],
    ['service.assessment-of-a-task-can-be-read'],
  ),
  variant('microfrontends-have-names', 'task.microfrontend-id-form', {
    presentTask: (task) => ({ ...task, microfrontend_id: 'mfe-review' }),
  }),
  variant('tasks-have-another-status', 'task.status-values', {
    presentTask: (task) => ({ ...task, status: 'IN_PROGRESS' }),
  }),
  variant('a-write-changes-the-status', 'task.status-transitions', {
    otherFieldsAfterWrite: (task) => ({
      ...task,
      status: task.assignment ? 'IN_PROGRESS' : 'INCOMPLETE',
    }),
  }),
  variant('custom-metadata-is-nested-deeply', 'task.custom-metadata-contents', {
    presentTask: (task) => ({
      ...task,
      custom_metadata: { list: [1, null, { 'a key': [[], {}, 'ü'] }], '': 1e-7 },
    }),
  }),
  ...table(variant, 'task.data-version-rules', {
    'data-version-stays-on-a-write': counting((dataVersion) => dataVersion),
    'data-version-jumps-on-a-write': counting(
      (dataVersion) => scrambled(dataVersion) - 1_000_000_000,
    ),
    'data-version-is-zero': counting(() => 0),
  }),
  variant('a-lock-is-refreshed-by-a-read', 'task.locked-at-rules', {
    taskAfterRead: (task) => ({ ...task, locked_at: task.locked_at + 1 }),
  }),
  variant('a-read-counts-data-version', 'task.data-version-rules', {
    taskAfterRead: (task) => ({ ...task, data_version: task.data_version + 1 }),
  }),
  variant('a-read-changes-the-status', 'task.status-transitions', {
    taskAfterRead: (task) => ({
      ...task,
      status: task.status === 'SEEN' ? 'INCOMPLETE' : 'SEEN',
    }),
  }),
  variant(
    'a-write-empties-custom-metadata-or-fills-it',
    { opens: 'task.custom-metadata-contents', unseen: 'It is looked at before the first write.' },
    {
      otherFieldsAfterWrite: (task) => ({
        ...task,
        custom_metadata: task.custom_metadata === null ? { reviewed: true } : {},
      }),
    },
  ),
  variant('a-cancelled-assessment-keeps-its-error', 'assessment.error-fields-when-cancelled', {
    presentAssessment: (assessment) =>
      assessment.workflow_state === 'Cancelled'
        ? { ...assessment, error_message: 'The screening provider did not answer.' }
        : assessment,
  }),
  variant('an-assignment-moves-its-assessment-on', 'assessment.state-transitions', (handle) => {
    let writes = 0;
    return async (request) => {
      const answer = await handle(request);
      if (request.method === 'PUT' && answer.status === 200) writes += 1;
      const isAssessment = request.target.includes('/assessments/') && answer.status === 200;
      if (!isAssessment || typeof answer.body !== 'string') return answer;
      const suffix = String(writes).padStart(12, '0');
      const moved = {
        ...JSON.parse(answer.body),
        status_id: `00000000-0000-4000-8000-${suffix}`,
      };
      return { ...answer, body: JSON.stringify(moved) };
    };
  }),
  variant(
    'a-task-is-of-another-entity-than-its-assessment',
    'service.task-agrees-with-its-assessment',
    { presentAssessment: (assessment) => ({ ...assessment, entity_id: assessment.template_id }) },
  ),
  variant(
    'an-assessment-moves-on-when-it-is-read',
    { opens: 'assessment.error-field-types', follows: ['assessment.state-transitions'] },
    {
      assessmentAfterRead: (assessment) => ({
        ...assessment,
        workflow_state: 'Error',
        status_id: assessment.entity_id,
        outcome_id: assessment.template_id,
        error_message: 'Time-out',
        error_details: { code: 17 },
      }),
    },
  ),
  variant('locked-at-moves-on-a-write', 'task.locked-at-rules', {
    otherFieldsAfterWrite: (task) => ({ ...task, locked_at: task.updated_at }),
  }),
  variant(
    'a-write-that-changes-nothing-keeps-the-version',
    { opens: 'task.updated-at-changes-with-the-task', follows: ['unassign.on-an-unassigned-task'] },
    {
      otherFieldsAfterWrite: (task, earlier) =>
        isDeepStrictEqual(task.assignment, earlier.assignment) ? earlier : task,
    },
  ),
  variant('the-clocks-behind-updated-at-disagree', 'task.updated-at-changes-with-the-task', {
    newVersion: (previous, now) => now + (previous > now ? -1 : 1) * 5000,
  }),
  ...table(variant, 'assessment.error-field-types', {
    'error-fields-are-texts': {
      presentAssessment: (assessment) =>
        assessment.workflow_state === 'Error'
          ? { ...assessment, error_details: 'Time-out', error_step: 'screening', error_type: 'E17' }
          : assessment,
    },
    'only-one-error-field-is-set': {
      presentAssessment: (assessment) => ({
        ...assessment,
        error_message: null,
        error_details: null,
        error_step: null,
      }),
    },
    'error-fields-are-false-and-zero': {
      presentAssessment: (assessment) =>
        assessment.workflow_state === 'Error'
          ? {
              ...assessment,
              error_message: false,
              error_details: [],
              error_step: 0,
              error_type: {},
            }
          : assessment,
    },
  }),
];
