import { Api } from '../helpers/api.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { Knowledge } from '../helpers/exports/learn.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Client } from '../helpers/http/client.ts';
import type { Mailbox } from '../helpers/mail/mailbox.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { runsIn } from '../helpers/tasks/marks.ts';
import { stateIn } from '../helpers/tasks/task-answer.ts';

/**
 * Reads everything that the configuration names, and writes nothing. Without the `state` of an id, `why` ends a sentence
 * about the id.
 * @param learn learns what the exports of the target look like
 * @param openMailbox undefined where no mailbox is configured
 */
export async function examine(
  client: Client,
  settings: Settings,
  learn: () => Promise<Knowledge>,
  openMailbox: (() => Promise<Mailbox>) | undefined,
) {
  const api = new Api(client, settings, 'a look before the run');
  let clockAheadMs: number | undefined;
  const lookAt = async <State>(
    id: string,
    asked: Promise<Answer>,
    read: (answer: Answer) => State | undefined,
  ) => {
    try {
      const answer = await asked;
      clockAheadMs ??= clockDifference(answer);
      const state = read(answer);
      const { status } = answer;
      const why = status === 404 ? 'is not there (404)' : `answered ${status}`;
      return { id, state, why: state === undefined ? why : '' };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      return { id, state: undefined, why: error.message };
    }
  };
  const readTask = (id: string) => lookAt(id, api.task(id), (answer) => taskStateIn(answer, id));
  const readAssessment = (id: string) => lookAt(id, api.assessment(id), workflowStateIn);
  const [tasks, assessments] = await Promise.all([
    Promise.all(settings.taskIds.map(readTask)),
    Promise.all(settings.assessmentIds.map(readAssessment)),
  ]);
  const exports = await learn().catch(reasonOf);
  const mailbox = openMailbox && (await countMessages(openMailbox).catch(reasonOf));
  return { tasks, assessments, exports, mailbox, clockAheadMs };
}

async function countMessages(openMailbox: () => Promise<Mailbox>) {
  const mailbox = await openMailbox();
  const { messages } = await mailbox.poll();
  return { kind: mailbox.kind, messages: messages.length };
}

/** Why something could not be read, for an Inconclusive; throws any other error again. */
function reasonOf(error: unknown): string {
  if (error instanceof Inconclusive) return error.message;
  throw error;
}

/** Version and assignment of a task, and whether a run of this suite assigned it; undefined where none are shown. */
function taskStateIn(answer: Answer, id: string) {
  const state = stateIn(answer, id);
  const comment = state?.assignment?.assignment_comment;
  return state && { ...state, isOfARun: runsIn(`${comment}`).length > 0 };
}

function workflowStateIn({ succeeded, object }: Answer): { workflowState: string } | undefined {
  const state = object?.workflow_state;
  return succeeded && typeof state === 'string' ? { workflowState: state } : undefined;
}

/** By how many milliseconds the Date header is ahead of our clock, to the second; undefined without the header. */
function clockDifference(answer: Answer): number | undefined {
  const stated = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(stated) ? undefined : stated - Math.floor(Date.now() / 1000) * 1000;
}
