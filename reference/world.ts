import { ar, base, de, el, en, Faker, ja } from '@faker-js/faker';
import type { AssessmentRecord, AssignmentRecord, TaskRecord, Team, User } from './records.ts';

/** The records of a fresh service, before its first request. */
export type World = Readonly<ReturnType<typeof createWorld>>;

const day = 24 * 60 * 60 * 1000;

const faker = new Faker({ locale: [en, base] });
const namesByScript = [de, ja, ar, el].map((locale) => new Faker({ locale: [locale, en, base] }));

const steps = ['Document check', 'Screening review', 'Risk rating', 'Final approval'];
const comments = ['Please review, it is due today.', null, '«Überprüfung» – 確認してください'];
const metadata = [{}, null, { priority: 3, source: { channel: 'web', tags: ['kyc', 'retail'] } }];
const errors = {
  error_message: 'The screening provider did not answer.',
  error_details: { provider: 'screening', attempts: [1, 2, 3] },
  error_step: 4,
  error_type: ['provider', 'timeout'],
};
const noError = { error_message: null, error_details: null, error_step: null, error_type: null };
const workflowStates = ['Active', 'Cancelled', 'Error', 'Active'] as const;

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/**
 * The world of a seed: the same ids for the same seed, and times before `now` (milliseconds since 1970, UTC).
 * `identifier` is how ids are written.
 */
export function createWorld(seed: number, now: number, identifier: (uuid: string) => string) {
  faker.seed(seed);
  const id = () => identifier(faker.string.uuid());
  const apiKey = faker.string.alphanumeric(40);
  const [actor, ...users] = Array.from({ length: 5 }, (_, index) => {
    const person = at(namesByScript, index);
    person.seed(seed + index);
    const name = person.person.fullName();
    return { id: id(), name, address: `person-${index}@service.example` };
  }) as [User, ...User[]];
  const teams = ['Onboarding', 'Sanctions'].map(
    (name, index): Team => ({
      id: id(),
      // One of the users, and somebody who is in teams only.
      members: [
        at(users, index + 2),
        { name: `${name} desk`, address: `desk-${index}@service.example` },
      ],
    }),
  );
  const institutionId = id();

  const assessments = workflowStates.map(
    (state, index): AssessmentRecord => ({
      id: id(),
      created_at: now - (60 + index) * day - faker.number.int(day),
      entity_id: id(),
      institution_id: institutionId,
      outcome_id: id(),
      status_id: id(),
      template_id: id(),
      workflow_instance_id: id(),
      workflow_state: state,
      ...(state === 'Error' ? errors : noError),
    }),
  );

  const assignments = (index: number): AssignmentRecord | null => {
    const by = { assigned_by_id: actor.id, assignment_comment: at(comments, index) };
    const assigned = [
      null,
      { ...by, assigned_to_id: at(users, index).id, assigned_to_type: 'USER' },
      { ...by, assigned_to_id: at(teams, index).id, assigned_to_type: 'TEAM' },
    ] as const;
    return at(assigned, index);
  };

  const ofAssessments = Array.from({ length: 8 }, (_, index): TaskRecord => {
    const assessment = at(assessments, index);
    // Each task on another day: no two tasks share a version.
    const updatedAt = now - (index + 1) * day - faker.number.int(day - 1);
    return {
      id: id(),
      assessment_id: assessment.id,
      assessment_template_id: assessment.template_id,
      assignment: assignments(index),
      c_name: `${faker.company.buzzVerb()} ${faker.company.buzzNoun()}`,
      name: index === 2 ? null : at(namesByScript, index).company.name(),
      created_at: updatedAt - 10 * day - faker.number.int(day),
      updated_at: updatedAt,
      locked_at: updatedAt - faker.number.int(day),
      custom_metadata: at(metadata, index),
      data_version: faker.number.int({ min: 1, max: 20 }),
      entity_id: assessment.entity_id,
      institution_id: institutionId,
      microfrontend_id: id(),
      status: 'INCOMPLETE',
      step_name: at(steps, index),
      workflow_instance_id: assessment.workflow_instance_id,
    };
  });
  const otherActor = { id: id(), name: faker.person.fullName(), address: 'desk@service.example' };
  // The last two tasks are of the assessments of others, and of entities of their own.
  const tasks = ofAssessments.map((task, index) =>
    index < ofAssessments.length - 2 ? task : { ...task, entity_id: id() },
  );
  return {
    apiKey,
    tasks,
    assessments,
    /** Whom tasks are assigned to. */
    users,
    teams,
    /** The user in whose name the seeded assignments were made, and another one. */
    actor,
    otherActor,
  };
}

export function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
