import type { Clause, Level } from './clause.ts';
import { auditEventClauses } from './clauses/audit-events.ts';
import { authenticationClauses } from './clauses/authentication.ts';
import { errorClauses } from './clauses/errors-limits-versioning.ts';
import { exportClauses } from './clauses/export.ts';
import { fieldClauses } from './clauses/fields.ts';
import { interfaceClauses } from './clauses/interface.ts';
import { stateClauses } from './clauses/states.ts';
import { taskAndAssessmentClauses } from './clauses/tasks-and-assessments.ts';

/**
 * Every statement of the document, in the document's order. A statement that the document makes twice stands
 * here once, under the heading where it is said most fully.
 */
export const clauses = {
  ...interfaceClauses,
  ...fieldClauses,
  ...stateClauses,
  ...taskAndAssessmentClauses,
  ...exportClauses,
  ...authenticationClauses,
  ...auditEventClauses,
  ...errorClauses,
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
