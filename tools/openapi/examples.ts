// Records that fit together: the task is the one of the paths, and belongs to the assessment.

export const taskId = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
export const assessmentId = '3c1b6b1e-58a4-4b39-9d0b-1f8e6f0a7c22';

/** The version of the task, and what If-Match carries. */
export const version = '2026-11-05T09:30:00.000Z';

const actorId = 'f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33';
const userId = 'a4c0e0b0-1c39-4f7e-8b3c-5a2d7e9f0b44';
const entityId = '0e9d1f4a-5b62-4d0c-8f3a-6b7c8d9e0f11';
const institutionId = '5f0e4d3c-2b1a-4098-8765-43210fedcba9';
const templateId = '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const workflowInstanceId = '9c8b7a69-5847-4635-8241-302f1e0d9c8b';

export const assignmentExample = {
  assigned_by_id: actorId,
  assigned_to_id: userId,
  assigned_to_type: 'USER',
  assignment_comment: 'Please review, it is due today.',
};

export const updateExample = { update: assignmentExample };

export const unassignExample = {
  unassign: { assigned_by_id: actorId, assignment_comment: null },
};

export const taskExample = {
  id: taskId,
  assessment_id: assessmentId,
  assessment_template_id: templateId,
  assignment: assignmentExample,
  c_name: 'document_check',
  name: 'Check the documents',
  created_at: '2026-10-26T08:00:00.000Z',
  updated_at: version,
  locked_at: '2026-11-05T09:00:00.000Z',
  custom_metadata: {},
  data_version: 3,
  entity_id: entityId,
  institution_id: institutionId,
  microfrontend_id: '2f3e4d5c-6b7a-4890-9a1b-2c3d4e5f6071',
  status: 'INCOMPLETE',
  step_name: 'Document check',
  workflow_instance_id: workflowInstanceId,
};

export const assessmentExample = {
  id: assessmentId,
  created_at: '2026-10-25T12:00:00.000Z',
  entity_id: entityId,
  institution_id: institutionId,
  outcome_id: '8d7c6b5a-4938-4271-8605-f4e3d2c1b0a9',
  status_id: '4b5a6978-8796-4a5b-9c4d-3e2f10213243',
  template_id: templateId,
  workflow_instance_id: workflowInstanceId,
  workflow_state: 'Active',
  error_message: null,
  error_details: null,
  error_step: null,
  error_type: null,
};

/** One of many forms that an export may have: its columns are not shown. */
export const csvExample = [
  'time,auditee_id,event_type,sub_type,system_source,task_id,comment',
  `${version},${actorId},assessment,updated,task_platform,${taskId},"Please review, it is due today."`,
  '',
].join('\n');
