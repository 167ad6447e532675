import type { AssessmentRecord, JsonObject, TaskRecord } from '../records.ts';
import type { Storage } from '../store.ts';

type Records = Pick<Storage, 'tasks' | 'assessments'>;

/** Where an object is shown: in the answer to a read, or in the answer to a write. */
export type ShownIn = 'read' | 'write';

/** How tasks and assessments are found and shown (2. Retrieve a task, 3. Retrieve an assessment). */
export const retrievalRules = {
  /**
   * The document does not say whether the form of an id is looked at before a record is looked up: the status that refuses
   * one, or none.
   */
  idProblem: (_id: string): 'none' | number => 'none',
  /** A task_id matches the task that has it as its id. */
  findTask: (id: string, { tasks }: Records): TaskRecord | undefined => tasks.get(id),
  /** An assessment_id matches the assessment that has it as its id. */
  findAssessment: (id: string, { assessments }: Records): AssessmentRecord | undefined =>
    assessments.get(id),
  /** The answer is the full Task object, its assignment null where it is unassigned; times are written already. */
  presentTask: (task: JsonObject, _shownIn: ShownIn): JsonObject => task,
  /** The answer is the full Assessment object; times are written already. */
  presentAssessment: (assessment: JsonObject): JsonObject => assessment,
  /** Reading a task changes nothing: what is kept of it afterwards. */
  taskAfterRead: (task: TaskRecord): TaskRecord => task,
  /** Reading an assessment changes nothing: what is kept of it afterwards. */
  assessmentAfterRead: (assessment: AssessmentRecord): AssessmentRecord => assessment,
};
