import type { Clause, Level } from './clause.ts';
import { auditEventClauses } from './clauses/audit-events.ts';
import { authenticationClauses } from './clauses/authentication.ts';
import {
  errorClauses,
  limitClauses,
  versioningClauses,
} from './clauses/errors-limits-versioning.ts';
import { exportClauses, exportFileClauses } from './clauses/export.ts';
import { exportFilterClauses, exportRangeClauses } from './clauses/export-filters.ts';
import {
  assessmentClauses,
  assignmentClauses,
  fieldClauses,
  taskClauses,
} from './clauses/fields.ts';
import { interfaceClauses, serviceClauses } from './clauses/interface.ts';
import { endpointClauses, getAssessmentClauses, getTaskClauses } from './clauses/retrieval.ts';
import { stateClauses } from './clauses/states.ts';
import { conflictClauses, updateClauses } from './clauses/update.ts';

/**
 * Every statement of the document, in the document's order. A statement that the document makes twice stands
 * here once, under the heading where it is said most fully.
 */
export const clauses = {
  ...interfaceClauses,
  ...serviceClauses,
  ...fieldClauses,
  ...taskClauses,
  ...assignmentClauses,
  ...assessmentClauses,
  ...stateClauses,
  ...endpointClauses,
  ...updateClauses,
  ...getTaskClauses,
  ...getAssessmentClauses,
  ...exportClauses,
  ...exportFilterClauses,
  ...exportRangeClauses,
  ...exportFileClauses,
  ...authenticationClauses,
  ...auditEventClauses,
  ...errorClauses,
  ...conflictClauses,
  ...limitClauses,
  ...versioningClauses,
};

type Catalogue = typeof clauses;

export type ClauseId = keyof Catalogue;

/** Clauses of some levels that requests can show: those that are not marked untestable. */
type Testable<L extends Level> = {
  [Id in ClauseId]: Catalogue[Id] extends { untestable: string }
    ? never
    : Catalogue[Id]['level'] extends L
      ? Id
      : never;
}[ClauseId];

/** Clauses that requests can decide. Only these have judges. */
export type JudgedClause = Testable<'stated' | 'implied'>;

/** Clauses that the document leaves open and that requests can show. Only these have observations. */
export type OpenClause = Testable<'open'>;

// Object.keys forgets that it lists exactly the catalogue's keys.
export const clauseIds = Object.keys(clauses) as ClauseId[];

/** The clause with this id, as plain data. */
export function clauseOf(id: ClauseId): Clause {
  return clauses[id];
}

const testable = clauseIds.filter((id) => clauseOf(id).untestable === undefined);

export const judgedClauses = testable.filter(
  (id): id is JudgedClause => clauseOf(id).level !== 'open',
);
export const openClauses = testable.filter((id): id is OpenClause => clauseOf(id).level === 'open');
