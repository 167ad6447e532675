import type { AssessmentRecord, JsonObject, TaskRecord } from '../records.ts';
import type { Storage } from '../store.ts';

type Records = Pick<Storage, 'tasks' | 'assessments'>;

/** Where an object is shown: in the answer to a read, or in the answer to a write. */
export type ShownIn = 'read' | 'write';

/** How tasks and assessments are found and shown (2. Retrieve a task, 3. Retrieve an assessment). */
export interface RetrievalRules {
  /**
   * The document does not say whether the form of an id is looked at before a record is looked up: the status that refuses
   * one, or none.
   */
  idProblem(id: string): 'none' | number;
  /** A task_id matches the task that has it as its id. */
  findTask(id: string, records: Records): TaskRecord | undefined;
  /** An assessment_id matches the assessment that has it as its id. */
  findAssessment(id: string, records: Records): AssessmentRecord | undefined;
  /** The answer is the full Task object, its assignment null where it is unassigned; times are written already. */
  presentTask(task: JsonObject, shownIn: ShownIn): JsonObject;
  /** The answer is the full Assessment object; times are written already. */
  presentAssessment(assessment: JsonObject): JsonObject;
  /** Reading a task changes nothing: what is kept of it afterwards. */
  taskAfterRead(task: TaskRecord): TaskRecord;
  /** Reading an assessment changes nothing: what is kept of it afterwards. */
  assessmentAfterRead(assessment: AssessmentRecord): AssessmentRecord;
}

export const retrievalRules: RetrievalRules = {
  idProblem: () => 'none',
  findTask: (id, { tasks }) => tasks.get(id),
  findAssessment: (id, { assessments }) => assessments.get(id),
  presentTask: (task) => task,
  presentAssessment: (assessment) => assessment,
  taskAfterRead: (task) => task,
  assessmentAfterRead: (assessment) => assessment,
};
