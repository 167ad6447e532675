import { errorFields } from '../../schemas/assessment.ts';
import { taskFields } from '../../schemas/task.ts';
import { refuseOthers } from '../export/query.ts';
import type { Refusal, RefusalCause } from '../refusal.ts';
import type { AnswerBody } from '../rules/answer.ts';
import type { Adaptation, Adaptations } from './adaptation.ts';
import { sampleOf } from './samples.ts';

const causes: Readonly<Record<string, RefusalCause>> = {
  'no valid key': 'unauthorized',
  'an unknown task': 'unknown-task',
  'an unknown assessment': 'unknown-assessment',
  'an old version': 'version-mismatch',
  'no If-Match': 'missing-version',
  'an invalid body': 'invalid-body',
  'a reversed range': 'invalid-export',
};

/** A refusal as a body of the shape; undefined where the shape cannot be read. */
function errorBody(outcome: string, { status, title, detail }: Refusal): AnswerBody | undefined {
  if (outcome === 'no body') return { contentType: undefined, text: '' };
  const [, type, shape = ''] = /^([^:]+): (.*)$/s.exec(outcome) ?? [];
  const contentType = type === 'no content type' ? undefined : type;
  if (shape === 'no JSON') return { contentType, text: detail };
  const said = (name: string): string | number => {
    if (/status|code/i.test(name)) return status;
    return /title|error|name|type/i.test(name) ? title : detail;
  };
  const sample = sampleOf(shape, said);
  return sample === undefined ? undefined : { contentType, text: JSON.stringify(sample) };
}

const trial: Refusal = { cause: 'unauthorized', status: 401, title: 'title', detail: 'detail' };

const errorBodies: Adaptation = (seen, rules) => {
  const outcomes = new Map<RefusalCause, string>();
  for (const [situation, outcome] of seen.outcomes) {
    const cause = causes[situation];
    if (cause === undefined || outcomes.has(cause)) return undefined;
    if (errorBody(outcome, trial) === undefined) return undefined;
    outcomes.set(cause, outcome);
  }
  const usual = outcomes.get('invalid-body') ?? [...outcomes.values()][0] ?? '';
  return {
    errorBody: (refusal) =>
      errorBody(outcomes.get(refusal.cause) ?? usual, refusal) ?? rules.errorBody(refusal),
  };
};

const furtherStatuses: Adaptation = (seen, rules) => {
  const method = Number(seen.of('GET in place of PUT') ?? rules.refusalStatus('other-method'));
  const parameter = seen.of('no_such_parameter=x') ?? '200, the same events';
  if (method < 400 || !['400', '200, the same events'].includes(parameter)) return undefined;
  return {
    refusalStatus: (cause) => (cause === 'other-method' ? method : rules.refusalStatus(cause)),
    ...(parameter === '400' && { checkParameters: refuseOthers }),
  };
};

/** Of the headers of an answer, the length is known where a file is made whole before it is sent. */
const answerHeaders: Adaptation = (seen) => {
  const namesOf = (what: string): string[] =>
    seen.outcomes.filter(([one]) => one === what).map(([, name]) => name);
  const [task, csv, pdf] = [namesOf('task'), namesOf('CSV file'), namesOf('PDF file')];
  const further = [task, csv, pdf]
    .filter((names) => names.length > 0)
    .map((names) => names.filter((name) => !isOfItsOwn(name)));
  const [names = []] = further;
  const areAlike = new Set(further.map(String)).size === 1;
  if (!areAlike || task.includes('content-length')) return undefined;
  const headers = Object.fromEntries(names.map((name) => [name, usualHeaders[name] ?? 'x']));
  return {
    answerHeaders: () => headers,
    hasContentLength: (fileType) => (fileType === 'csv' ? csv : pdf).includes('content-length'),
  };
};

function isOfItsOwn(name: string): boolean {
  return name === 'none' || name === 'content-length';
}

const usualHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  etag: '"1"',
  vary: 'Accept-Encoding',
};

/** The service has no limit of rate, and tells of none. */
const rate: Adaptation = ({ values }) =>
  values.every((value) => /^no /.test(`${value}`)) ? {} : undefined;

const dataVersion: Adaptation = ({ only: value }) => {
  if (value === 'one more on a write') return { dataVersionAfterWrite: (version) => version + 1 };
  if (value === 'stays on a write') return { dataVersionAfterWrite: (version) => version };
  return value === 'moves on a write'
    ? { dataVersionAfterWrite: (version) => version + 2 }
    : undefined;
};

const lockedAt: Adaptation = ({ only: value }) => {
  if (value === 'stays on a write') return { lockedAtAfterWrite: (at) => at };
  if (value === 'moves on a write') return { lockedAtAfterWrite: (at) => at + 1000 };
  return value === 'is updated_at after a write'
    ? { lockedAtAfterWrite: (_at, now) => now }
    : undefined;
};

const statusTransitions: Adaptation = (seen) => {
  const becomes = (situation: string): string | undefined =>
    /^becomes (.+)$/.exec(seen.of(situation) ?? '')?.[1];
  const [assigned, unassigned] = [becomes('assigned'), becomes('unassigned')];
  if (assigned === undefined || unassigned === undefined) return undefined;
  if (seen.of('reassigned') !== 'stays') return undefined;
  return { statusAfterWrite: (_status, assignment) => (assignment ? assigned : unassigned) };
};

const statusValues: Adaptation = ({ only: status }, rules) => {
  if (typeof status !== 'string') return undefined;
  return {
    presentTask: (task, shownIn) => ({
      ...rules.presentTask(task, shownIn),
      status: status === 'null' ? null : status,
    }),
  };
};

/** Each task that is shown gets the next of the shapes, and keeps it. */
const customMetadata: Adaptation = ({ values }, rules) => {
  const samples = values.map((shape) => sampleOf(`${shape}`));
  if (samples.includes(undefined)) return undefined;
  const given = new Map<unknown, number>();
  return {
    presentTask: (task, shownIn) => {
      const place = given.get(task.id) ?? given.size % samples.length;
      given.set(task.id, place);
      return { ...rules.presentTask(task, shownIn), custom_metadata: samples[place] };
    },
  };
};

const needed: readonly string[] = ['id', 'updated_at', 'assignment'];

const nullableFields: Adaptation = ({ values }, rules) => {
  if (values.length === 1 && values[0] === 'none') return {};
  const fields = values.map(String);
  const areKnown = fields.every(
    (field) => taskFields.some((known) => known === field) && !needed.includes(field),
  );
  if (!areKnown) return undefined;
  const nulls = Object.fromEntries(fields.map((field) => [field, null]));
  return {
    presentTask: (task, shownIn) => ({ ...rules.presentTask(task, shownIn), ...nulls }),
  };
};

const errorFieldTypes: Adaptation = (seen, rules) => {
  const samples = errorFields.map((field) => {
    const isSet = seen.outcomes.some(([name]) => name === field);
    const shape = seen.of(field);
    return [field, isSet ? shape && sampleOf(shape) : null] as const;
  });
  if (samples.some(([, sample]) => sample === undefined)) return undefined;
  const set = Object.fromEntries(samples);
  return {
    presentAssessment: (assessment) => {
      const shown = rules.presentAssessment(assessment);
      return shown.workflow_state === 'Error' ? { ...shown, ...set } : shown;
    },
  };
};

const furtherFields: Adaptation = (seen) => {
  const fields = seen.outcomes
    .filter(([, shape]) => shape !== 'none')
    .map(([path, shape]) => {
      const [, resource, name] = /^(task|assessment|assignment)\.(.+)$/.exec(path) ?? [];
      return { resource, name, sample: sampleOf(shape) };
    });
  const isKnown = fields.every(({ name, sample }) => name !== undefined && sample !== undefined);
  if (!isKnown) return undefined;
  return {
    furtherFields: (shown) =>
      Object.fromEntries(
        fields
          .filter(({ resource }) => resource === shown)
          .map(({ name, sample }) => [name, sample]),
      ),
  };
};

/** What answers look like, and what tasks and assessments hold (Endpoints, Errors, Resources and their fields). */
export const answerAdaptations: Adaptations = {
  'errors.body-shape': errorBodies,
  'errors.further-statuses': furtherStatuses,
  'interface.answer-headers': answerHeaders,
  'limits.rate': rate,
  'task.data-version-rules': dataVersion,
  'task.locked-at-rules': lockedAt,
  'task.status-transitions': statusTransitions,
  'task.status-values': statusValues,
  'task.custom-metadata-contents': customMetadata,
  'task.nullable-fields': nullableFields,
  'assessment.error-field-types': errorFieldTypes,
  'fields.further-fields': furtherFields,
};
