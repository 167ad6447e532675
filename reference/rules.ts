import { type AccessRules, accessRules } from './rules/access.ts';
import { type AnswerRules, answerRules } from './rules/answer.ts';
import { type AssignmentRules, assignmentRules } from './rules/assignment.ts';
import { type AuditRules, auditRules } from './rules/audit.ts';
import { type BodyRules, bodyRules } from './rules/body.ts';
import { type ExportRules, exportRules } from './rules/export.ts';
import { type NotificationRules, notificationRules } from './rules/notification.ts';
import { type RetrievalRules, retrievalRules } from './rules/retrieval.ts';
import { type VersionRules, versionRules } from './rules/version.ts';

/**
 * The document, executable: each rule is one sentence of it, or one point that it leaves open. A fault or a
 * variant of the service is a rule replaced by another.
 */
export interface Rules
  extends AccessRules,
    RetrievalRules,
    VersionRules,
    BodyRules,
    AssignmentRules,
    AuditRules,
    NotificationRules,
    AnswerRules,
    ExportRules {}

export const defaultRules: Rules = {
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
