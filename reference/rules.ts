import { accessRules } from './rules/access.ts';
import { answerRules } from './rules/answer.ts';
import { assignmentRules } from './rules/assignment.ts';
import { auditRules } from './rules/audit.ts';
import { bodyRules } from './rules/body.ts';
import { exportRules } from './rules/export.ts';
import { notificationRules } from './rules/notification.ts';
import { retrievalRules } from './rules/retrieval.ts';
import { versionRules } from './rules/version.ts';

/**
 * The document, executable: each rule is one sentence of it, or one point that it leaves open. A fault or a
 * variant of the service is a rule replaced by another.
 */
export const defaultRules = {
  ...accessRules,
  ...retrievalRules,
  ...versionRules,
  ...bodyRules,
  ...assignmentRules,
  ...auditRules,
  ...notificationRules,
  ...answerRules,
  ...exportRules,
};

export type Rules = Readonly<typeof defaultRules>;
