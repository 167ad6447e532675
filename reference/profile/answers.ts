import { errorFields } from '../../schemas/assessment.ts';
import { identifierPattern } from '../../schemas/identifier.ts';
import type {
  Observation,
  RefusalCause as ObservedCause,
  Shape,
} from '../../schemas/observations.ts';
import { taskFields } from '../../schemas/task.ts';
import { refuseOthers } from '../export/query.ts';
import type { Refusal, RefusalCause } from '../request.ts';
import type { AnswerBody } from '../rules/answer.ts';
import { type Adaptations, common, ifKnown } from './adaptation.ts';
import { reactionTo } from './export-requests.ts';

/** Whether values of a shape can be made: nothing is left out of it. */
export function isComplete(shape: Shape | undefined): shape is Shape {
  if (typeof shape !== 'object') return shape !== undefined && shape in scalars;
  return Object.values(shape).every(isComplete);
}

const scalars: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1,
  boolean: true,
  null: null,
};

/**
 * A value of a complete shape.
 * @param content what a field of this name holds, where texts and numbers may hold anything
 */
export function sampleOf(
  shape: Shape,
  content: (field: string) => string | number | undefined = () => undefined,
  field = '',
): unknown {
  if (Array.isArray(shape)) return shape.map((item) => sampleOf(item, content, field));
  if (typeof shape === 'object') {
    const fields = Object.entries(shape);
    return Object.fromEntries(fields.map(([name, of]) => [name, sampleOf(of, content, name)]));
  }
  const value = content(field);
  if (shape === 'string' && value !== undefined) return String(value);
  return shape === typeof value ? value : scalars[shape];
}

const causes: Readonly<Record<ObservedCause, RefusalCause>> = {
  'no valid key': 'unauthorized',
  'unknown task': 'unknown-task',
  'unknown assessment': 'unknown-assessment',
  'old version': 'version-mismatch',
  'no If-Match': 'missing-version',
  'invalid body': 'invalid-body',
  'reversed range': 'invalid-export',
};

type ErrorBody = Observation<'errors.body-shape'>;

/** The body of a refusal, of the form that was observed. */
function errorBody({ body, mediaType, shape = 'null' }: ErrorBody, refusal: Refusal): AnswerBody {
  const { status, title, detail } = refusal;
  const content = (field: string): string | number => {
    if (/status|code/i.test(field)) return status;
    return /title|error|name|type/i.test(field) ? title : detail;
  };
  const text = {
    none: () => '',
    'not JSON': () => detail,
    JSON: () => JSON.stringify(sampleOf(shape, content)),
  }[body]();
  return { contentType: mediaType ?? undefined, text };
}

const uuid = new RegExp(identifierPattern);

const usualHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  etag: '"1"',
  vary: 'Accept-Encoding',
};

/** What answers look like, and what tasks and assessments hold (Endpoints, Errors, Resources and their fields). */
export const answerAdaptations: Adaptations = {
  'errors.body-shape': (facts) => {
    const bodies = new Map(facts.map((fact) => [causes[fact.when], fact]));
    const isKnown = facts.every(({ body, shape }) => body !== 'JSON' || isComplete(shape));
    const usual = bodies.get('invalid-body') ?? facts[0];
    if (bodies.size < facts.length || !isKnown || usual === undefined) return undefined;
    return { errorBody: (refusal) => errorBody(bodies.get(refusal.cause) ?? usual, refusal) };
  },

  'errors.further-statuses': (facts, rules) => {
    const statusOf = (isMeant: (when: string) => boolean) =>
      common(facts.flatMap((fact) => ('when' in fact && isMeant(fact.when) ? [fact.status] : [])));
    const parameters = facts.flatMap((fact) => ('parameter' in fact ? [fact.outcome] : []));
    const status =
      statusOf((when) => when === 'GET in place of PUT') ?? rules.refusalStatus('other-method');
    const id = statusOf((when) => when.endsWith('not UUID-shaped')) ?? 404;
    // What is no timestamp differs from the version.
    const isCompared = (statusOf((when) => when.startsWith('an If-Match')) ?? 409) === 409;
    const reaction = parameters.length === 0 ? 'ignore' : reactionTo(common(parameters));
    if (status < 400 || reaction === undefined || !isCompared) return undefined;
    return {
      refusalStatus: (cause) => (cause === 'other-method' ? status : rules.refusalStatus(cause)),
      ...(id !== 404 && { idProblem: (asked) => (uuid.test(asked) ? 'none' : id) }),
      ...(reaction === 'refuse' && { checkParameters: refuseOthers }),
    };
  },

  /** Content-Length is a rule of its own: it is known where a file is made whole before it is sent. */
  'interface.answer-headers': (facts) => {
    const namesOn = (on: (typeof facts)[number]['on']): string[] =>
      facts.filter((fact) => fact.on === on).flatMap(({ header }) => header ?? []);
    const further = [...new Set(facts.map(({ on }) => on))].map((on) =>
      namesOn(on).filter((name) => name !== 'content-length'),
    );
    if (namesOn('task').includes('content-length')) return undefined;
    return ifKnown(common(further), (names) => {
      const headers = Object.fromEntries(names.map((name) => [name, usualHeaders[name] ?? 'x']));
      return {
        answerHeaders: () => headers,
        hasContentLength: (fileType) => namesOn(fileType).includes('content-length'),
      };
    });
  },

  /** The service has no rate limit, and no header about one. */
  'limits.rate': (facts) =>
    facts.some(({ header, tooManyRequests }) => header || tooManyRequests) ? undefined : {},

  /** The service fails over no export that it can answer. */
  'errors.passing-failure-of-an-export': (facts) => (common(facts) === 'none' ? {} : undefined),

  'auth.key-case': (facts) => (common(facts) === 'no UUID' ? {} : undefined),

  'service.task-agrees-with-its-assessment': (facts) =>
    facts.every(({ agrees }) => agrees) ? {} : undefined,

  /** Nothing moves the assessments of the service on. */
  'assessment.state-transitions': (facts) =>
    facts.every(({ changes }) => changes === null) ? {} : undefined,

  'task.read-delay': (facts) => (common(facts) === 'at once' ? {} : undefined),

  'task.data-version-rules': (facts) => {
    const steps = { stays: 0, 'one more': 1, changes: 2, 'no number': undefined } as const;
    const rule = common(facts);
    return ifKnown(rule && steps[rule], (step) => ({
      dataVersionAfterWrite: (version) => version + step,
    }));
  },

  'task.locked-at-rules': (facts) => {
    const rule = common(facts);
    if (rule === 'stays') return { lockedAtAfterWrite: (at) => at };
    if (rule === 'changes') return { lockedAtAfterWrite: (at) => at + 1000 };
    return rule === 'becomes updated_at' ? { lockedAtAfterWrite: (_at, now) => now } : undefined;
  },

  'task.status-transitions': (facts) => {
    const becomes = (when: (typeof facts)[number]['when']) =>
      common(facts.filter((fact) => fact.when === when).map((fact) => fact.becomes));
    const [assigned, unassigned] = [becomes('assigned'), becomes('unassigned')];
    if (!assigned || !unassigned || becomes('reassigned') !== null) return undefined;
    return { statusAfterWrite: (_status, assignment) => (assignment ? assigned : unassigned) };
  },

  'task.status-values': (facts, rules) =>
    ifKnown(common(facts), (status) => ({
      presentTask: (task, shownIn) => ({ ...rules.presentTask(task, shownIn), status }),
    })),

  /** Each task that is shown gets the next of the shapes, and keeps it. */
  'task.custom-metadata-contents': (facts, rules) => {
    if (!facts.every(isComplete)) return undefined;
    const samples = facts.map((shape) => sampleOf(shape));
    const given = new Map<unknown, number>();
    return {
      presentTask: (task, shownIn) => {
        const place = given.get(task.id) ?? given.size % samples.length;
        given.set(task.id, place);
        return { ...rules.presentTask(task, shownIn), custom_metadata: samples[place] };
      },
    };
  },

  'task.microfrontend-id-form': (facts, rules) =>
    facts.every((form) => form === 'UUID-shaped')
      ? {}
      : {
          presentTask: (task, shownIn) => ({
            ...rules.presentTask(task, shownIn),
            microfrontend_id: 'task-review',
          }),
        },

  'task.nullable-fields': (facts, rules) => {
    const nullable = taskFields.filter((field) => !neverNull.includes(field));
    const fields = facts.filter((field) => field !== null);
    if (!fields.every((field) => nullable.some((known) => known === field))) return undefined;
    if (fields.length === 0) return {};
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    return {
      presentTask: (task, shownIn) => ({ ...rules.presentTask(task, shownIn), ...nulls }),
    };
  },

  'assessment.error-fields-when-cancelled': (facts, rules) => {
    const fields = common(facts);
    if (fields !== 'set') return fields && {};
    return {
      presentAssessment: (assessment) => {
        const shown = rules.presentAssessment(assessment);
        return shown.workflow_state === 'Cancelled' ? { ...shown, error_message: 'text' } : shown;
      },
    };
  },

  'assessment.error-field-types': (facts, rules) => {
    const shapes = new Map(facts.map(({ field, shape }) => [field, shape]));
    if (shapes.size < facts.length || ![...shapes.values()].every(isComplete)) return undefined;
    const fields = Object.fromEntries(
      errorFields.map((field) => [field, sampleOf(shapes.get(field) ?? 'null')]),
    );
    return {
      presentAssessment: (assessment) => {
        const shown = rules.presentAssessment(assessment);
        return shown.workflow_state === 'Error' ? { ...shown, ...fields } : shown;
      },
    };
  },

  'fields.further-fields': (facts) => {
    const named = facts.flatMap(({ on, field, shape }) => (field ? [{ on, field, shape }] : []));
    if (!named.every(({ shape }) => isComplete(shape))) return undefined;
    return {
      furtherFields: (resource) =>
        Object.fromEntries(
          named
            .filter(({ on }) => on === resource)
            .map(({ field, shape = 'null' }) => [field, sampleOf(shape)]),
        ),
    };
  },
};

/** What the suites could not work without. */
const neverNull: readonly string[] = ['id', 'updated_at', 'assignment'];
