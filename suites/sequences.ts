import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { Inconclusive, NotConfigured, NothingSeen, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject } from '../helpers/validation.ts';
import { scenario } from '../runner/scenario.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { sameId } from '../schemas/identifier.ts';
import { aNumber, judgesBy, ofAssessment, ofRefusal } from './answers.ts';
import { expectUnchanged, mismatch, normalization, staysAfterWrite } from './comparing-tasks.ts';
import { isRefused, judgeEach, requireAccepted, unlikeStatus } from './expectations.ts';
import { expectSameAssessment, transitions } from './reading-assessments.ts';
import {
  expectRefused,
  isRefusedAsDue,
  isTwinAccepted,
  judgesByRows,
  observesRefusals,
} from './refusals.ts';
import { assessmentRead, type Between, refusedRequests } from './refused-requests.ts';
import { walks } from './sequence-plan.ts';
import { type Betweened, type StepOfWalk, type Walk, walk } from './walk.ts';
import { expectTaken, observesWrites, oneActorAlone, type Step, stepJudges } from './writes.ts';

/*
 * Sequences (States and transitions, Assignment): tasks go from nobody to users and teams and back, with comments of all
 * forms, and between any two writes stands a request that is refused, or is about another task. What a service does may
 * depend on what came right before, or on two things at once: so each two of these meet, in as few writes as that takes.
 */

const assessmentReads = (between: Walk['between']): readonly Betweened[] =>
  between.filter(({ sent }) => sent === assessmentRead);

const hasText = ({ comment }: Step): boolean => Boolean(comment);
const isAssigning = ({ to }: Step): boolean => to !== null;

/** A judge that writes with comments of a kind are accepted as others are. */
const commentsAreTaken =
  (isOfKind: (step: Step) => boolean) =>
  ({ own }: Walk): void => {
    const assigning = own.filter(isAssigning);
    const commented = assigning.filter(hasText).map(({ answer }) => answer);
    if (commented.length === 0) throw new NothingSeen();
    if (!commented.some(({ succeeded }) => succeeded))
      throw new Inconclusive('No assignment with a comment was accepted.', commented);
    const ofKind = assigning.filter(isOfKind);
    judgeEach(ofKind, expectTaken);
  };

const isRetry = ({ behind }: StepOfWalk): boolean =>
  behind.some(({ leaves }) => leaves === 'conflict.changes-nothing');

const judgesOfWrites = {
  ...stepJudges,
  'task.updated-at-is-the-version': ({ steps }: Walk) =>
    stepJudges['task.updated-at-is-the-version']({
      steps: steps.filter((step) => !isRetry(step)),
    }),
  'conflict.retry-with-the-latest-version': ({ own, between }: Walk) => {
    const retries = between.filter(
      ({ sent, answer }) => sent.leaves === 'conflict.changes-nothing' && answer.status === 409,
    );
    if (retries.length === 0 || !own.some(({ answer }) => answer.succeeded))
      throw new NothingSeen();
    const answers = own.filter(isRetry).map(({ answer }) => answer);
    judgeEach(answers, (answer) => {
      if (answer.status !== 409) return requireAccepted(answer);
      throw unlikeStatus('the retry after a 409, with the version just read', '2xx', answer);
    });
  },
  'states.only-the-assignment-changes': ({ own, assessment: before, between }: Walk) => {
    if (before === undefined)
      throw new NotConfigured('ASSESSMENT_IDS', 'an assessment that can be read');
    if (!own.some(({ answer }) => answer.succeeded)) throw new NothingSeen();
    judgeEach(assessmentReads(between), ({ answer: after }) => {
      if (after.succeeded && !sameId(after.object?.id, before.object?.id))
        throw new Inconclusive('Another assessment was read after a write.', [after]);
      expectSameAssessment(before, after, 'after a write to its task');
    });
  },
  'comment.is-on-the-assignment': (evidence: Walk) => {
    commentsAreTaken(hasText)(evidence);
    stepJudges['comment.is-on-the-assignment'](evidence);
  },
  'update.comment-is-optional': commentsAreTaken((step) => !hasText(step)),
  'update.answers-with-the-updated-task': ({ steps }: Walk) => {
    // Whether a comment may be missing or null, and what a refusal of an unassignment says, are clauses of their own.
    const isJudged = (step: Step): boolean =>
      !isRefused(step.answer) || step.answer.status >= 500 || (hasText(step) && step.to !== null);
    stepJudges['update.answers-with-the-updated-task']({ steps: steps.filter(isJudged) });
  },
  'update.answers-with-a-new-version': (evidence: Walk) => {
    stepJudges['update.answers-with-a-new-version'](evidence);
    const { own } = evidence;
    const versions = own.map(({ read }) => taskOf(read).updated_at);
    const reused = own.find((_, at) => versions.indexOf(versions[at] ?? '') !== at);
    if (reused === undefined || !own.every(({ answer }) => answer.succeeded)) return;
    throw new Violation(staysAfterWrite(taskOf(reused.read).updated_at), [reused.read]);
  },
  'update.answers-with-the-new-assignment': (evidence: Walk) => {
    stepJudges['update.answers-with-the-new-assignment'](evidence);
    const { own } = evidence;
    if (own.every(({ by }) => by === own[0]?.by)) throw oneActorAlone();
  },
};

const namedBy = <Id>(clauseOf: (one: Between) => Id | undefined): Id[] => [
  ...new Set(refusedRequests.flatMap((one) => clauseOf(one) ?? [])),
];

const requests = ({ between }: Walk) => between;

const judgesOfRefusals = judgesByRows(
  namedBy(({ refused }) => refused?.clause),
  requests,
  (one) => {
    if (isRefused(one.answer) && !isTwinAccepted(one)) throw new NothingSeen();
    expectRefused(one);
  },
);

const sentBy = ({ exchange }: Answer) => jsonObject(exchange.request.body) ?? {};

const effects = judgesByRows(
  namedBy(({ leaves }) => leaves),
  requests,
  (one) => {
    const { sent, answer, around } = one;
    // An answer with another status breaks another clause. Of what is not carried out, the status is open.
    const isOther = !isRefusedAsDue(answer, sent.refused);
    const isOfUnassign = sent.kind === 'without an id' && !isObject(sentBy(answer).update);
    const isNotMade = sent.kind === 'another task' && isRefused(answer);
    if (around === undefined || isOther || isOfUnassign || isNotMade) throw new NothingSeen();
    const { before, read } = around;
    const { how } = sent;
    if (how !== undefined && (!isTwinAccepted(one) || isReadAsText(answer, read)))
      throw new NothingSeen();
    const said = how === undefined ? { when: `after ${sent.name}` } : { how };
    expectUnchanged(before, taskOf(read), { on: how ? [answer, read] : [read, answer], ...said });
  },
  ({ leaves }) => leaves,
);

/** Whether the service took the number in a write for the text “42”, which the document does not exclude. */
function isReadAsText(answer: Answer, read: Answer): boolean {
  const { update } = sentBy(answer);
  if (!answer.succeeded || !isObject(update) || !Object.values(update).includes(aNumber))
    return false;
  const asTexts = Object.entries(update).map(([field, value]) => [field, String(value)]);
  return mismatch(Object.fromEntries(asTexts), read.object?.assignment) === undefined;
}

const observesBetween = observesRefusals(
  namedBy(({ observes }) => observes?.clause),
  requests,
);

/** The clauses that only writes about a team show in all their parts. */
const shownByTeams: readonly JudgedClause[] = [
  'assignment.assigned-to-type',
  'assign.task-becomes-assigned',
  'reassign.task-goes-to-the-new-assignee',
  'update.answers-with-the-new-assignment',
  'comment.is-on-the-assignment',
  'unassign.task-becomes-unassigned',
  'unassign.answers-with-null-assignment',
  'service.assignee-is-single',
  'conflict.differing-version-is-409',
];

export const sequences = Array.from({ length: walks }, (_, index) =>
  scenario({
    name: `sequence ${index + 1}: tasks are assigned and unassigned, with refused requests in between`,
    needs: ['writable-task', 'user'],
    shownBy: {
      team: shownByTeams,
      'two-users': ['reassign.task-goes-to-the-new-assignee', 'service.assignee-is-single'],
      'two-tasks': ['conflict.differing-version-is-409', 'update.keeps-other-tasks'],
    },
    writes: 55,
    act: (world) => walk(world, index),
    judges: {
      ...judgesOfWrites,
      ...judgesOfRefusals,
      ...effects,
      ...judgesBy(ofRefusal, ({ between }: Walk) => between.map(({ answer }) => answer)),
      ...judgesBy(ofAssessment, ({ between }: Walk) =>
        assessmentReads(between).map(({ answer }) => answer),
      ),
    },
    observes: {
      ...observesWrites,
      ...observesBetween,
      'assessment.state-transitions': ({ assessment, between }: Walk) =>
        assessmentReads(between).flatMap(({ answer }) =>
          transitions('after an assignment of its task', assessment, answer),
        ),
      'comment.normalization': ({ own }: Walk) =>
        own.flatMap(({ comment, answer, read }) => {
          const kept: unknown = taskOf(read).assignment?.assignment_comment;
          return answer.succeeded && comment && typeof kept === 'string'
            ? normalization('task', comment, kept)
            : [];
        }),
    },
  }),
);
