import type { JsonObject } from '../../reference/records.ts';
import type { Refusal } from '../../reference/request.ts';
import { type AnswerBody, answerRules } from '../../reference/rules/answer.ts';
import type { Operation } from '../../schemas/operations.ts';
import { assessmentFieldClauses } from './assessment-fields.ts';
import { type Fault, fault, table } from './fault.ts';

/** Changes the bodies of successful answers, of one operation or of all. */
const answeringBy =
  (by?: Operation) =>
  (
    id: string,
    breaks: Fault['breaks'],
    corrupt: (body: AnswerBody, value: JsonObject) => AnswerBody,
  ): Fault =>
    fault(id, breaks, {
      jsonBody(value, operation) {
        const body = answerRules.jsonBody(value, operation);
        return by === undefined || by === operation ? corrupt(body, value) : body;
      },
    });

const answering = answeringBy();
const ofAssessments = answeringBy('get-assessment');

const saysSo = ['interface.json-says-so'] as const;
const fullAssessment = 'get-assessment.answers-with-the-full-assessment';
const noAssessment = ['interface.response-bodies-are-json', fullAssessment] as const;

/** Answers every refusal with a body that is not JSON. */
const refusing = (
  id: string,
  contentType: string | undefined,
  write: (refusal: Refusal) => string,
): Fault =>
  fault(id, ['interface.error-bodies-are-json'], {
    errorBody: (refusal) => ({ contentType, text: write(refusal) }),
  });

/** Bodies that are not JSON, or do not say that they are (Introduction). */
export const jsonFaults: readonly Fault[] = [
  refusing('errors-are-plain-text', 'text/plain; charset=utf-8', ({ detail }) => detail),
  refusing('errors-are-html', 'text/html', ({ status, title }) => {
    const heading = `<h1>${status} ${title}</h1>`;
    return `<!doctype html><title>${title}</title>${heading}`;
  }),
  refusing('errors-are-xml', 'application/xml', ({ title }) => `<error>${title}</error>`),
  refusing('errors-are-text-without-a-media-type', undefined, ({ title }) => title),
  ...(['unauthorized', 'version-mismatch', 'unknown-assessment', 'invalid-body'] as const).map(
    (cause) =>
      fault(`errors-of-${cause}-are-html`, ['interface.error-bodies-are-json'], {
        errorBody: (refusal) =>
          refusal.cause === cause
            ? { contentType: 'text/html', text: `<h1>${refusal.title}</h1>` }
            : answerRules.errorBody(refusal),
      }),
  ),
  ...table(answering, saysSo, {
    'json-is-called-plain-text': ({ text }) => ({
      contentType: 'text/plain',
      text,
    }),
    'json-is-called-html': ({ text }) => ({ contentType: 'text/html', text }),
    'json-names-no-media-type': ({ text }) => ({ contentType: undefined, text }),
  }),
  answeringBy('update-assignment')('json-of-a-write-is-called-plain-text', saysSo, ({ text }) => ({
    contentType: 'text/plain',
    text,
  })),
  ofAssessments('json-of-an-assessment-names-no-media-type', saysSo, ({ text }) => ({
    contentType: undefined,
    text,
  })),
  ...table(ofAssessments, noAssessment, {
    'an-assessment-is-answered-in-xml': (_body, { id }) => ({
      contentType: 'application/xml',
      text: `<assessment id="${id}"/>`,
    }),
    'an-assessment-is-answered-in-json-cut-short': ({ contentType, text }) => ({
      contentType,
      text: text.slice(0, -1),
    }),
    'an-assessment-is-answered-in-a-callback': ({ contentType, text }) => ({
      contentType,
      text: `callback(${text})`,
    }),
  }),
  ofAssessments(
    'an-assessment-is-answered-as-json-in-a-text',
    [fullAssessment],
    ({ contentType, text }) => ({ contentType, text: JSON.stringify(text) }),
  ),
  ofAssessments(
    'an-assessment-is-answered-in-an-envelope',
    [fullAssessment, ...assessmentFieldClauses],
    ({ contentType }, value) => ({ contentType, text: JSON.stringify({ data: value }) }),
  ),
  ofAssessments(
    'an-assessment-is-answered-in-a-list',
    [fullAssessment],
    ({ contentType }, value) => ({ contentType, text: JSON.stringify([value]) }),
  ),
  fault(
    'answers-are-encoded-in-latin-1',
    ['interface.response-bodies-are-json', 'get-task.answers-with-the-full-task'],
    (handle) => async (request) => {
      const answer = await handle(request);
      const { body } = answer;
      return typeof body === 'string' ? { ...answer, body: Buffer.from(body, 'latin1') } : answer;
    },
  ),
];
