import { Inconclusive, NothingSeen } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject } from '../helpers/validation.ts';
import { scenario } from '../runner/scenario.ts';
import type { CommentOutcome } from '../schemas/observations.ts';
import { normalization } from './comparing-tasks.ts';
import { expectSuccess, isRefused, judgeEach, leaveToOtherClauses } from './expectations.ts';
import {
  commentJudges,
  eachStep,
  expectInAnswer,
  howCommented,
  oneActorAlone,
  type Step,
  takeSteps,
  writeJudges,
} from './writes.ts';

/*
 * The comment of an assignment (States and transitions, Assignment): it is kept verbatim but for its line ends and its
 * Unicode form, is optional, and belongs to that assignment only.
 */

/**
 * Comments that a careless service would change; each gets a mark at its end. None begins or ends with white space,
 * which a service might trim. They are short, as the document leaves the limit of their length open.
 */
const texts = {
  markup:
    '=1+1: he said "now", she said \'later\'; 5 < 6 && 7 > 2 \\ 100 %25 a+b <b>&amp;</b> <script>1</script> {{name}}',
  lines:
    'first line\nsecond line\r\nthird line\n\n\n\tindented,  with  double  spaces and\u00a0others',
  // The same letter in one character and in two, and a ligature.
  scripts:
    'Gr\u00fc\u00dfe, gru\u0308n, \ufb01ne, žluťoučký, Привет, γειά σου, שלום, مرحبا, 你好, こんにちは, 👩‍👩‍👧 🏳️‍🌈 𝒳 👍🏽 and so on',
} as const;

const verbatim = scenario({
  name: 'comments are kept verbatim, whatever they contain, and not carried over to the next assignment',
  needs: ['writable-task', 'user'],
  async act(world) {
    const to = world.user();
    const marked = (text: string): string => `${text} ${world.mark()}`;
    const steps = await takeSteps(world, await world.tasks.any(), [
      { to, comment: marked(texts.markup) },
      { to },
      { to, comment: marked(texts.lines) },
      { to, comment: null },
      { to, comment: marked(texts.scripts) },
    ]);
    const refused = steps.filter((step) => hasText(step) && isRefused(step.answer));
    const last = steps.at(-1)?.read;
    // Where comments are refused, a comment of as many plain letters shows whether length may be the reason.
    const [sameLength] =
      last?.succeeded && refused.length > 0
        ? await takeSteps(world, taskOf(last), [{ to, comment: asLongAs(refused) }])
        : [];
    return { steps, sameLength };
  },
  judges: {
    ...commentJudges,
    'update.keeps-the-other-fields': writeJudges['update.keeps-the-other-fields'],
    'update.answers-with-the-new-assignment': (evidence) => {
      expectWhoAssigned(evidence);
      if (evidence.steps.every(({ by }) => by === evidence.steps[0]?.by)) throw oneActorAlone();
    },
    'comment.is-on-the-assignment': ({ steps, sameLength }) => {
      const withText = steps.filter(hasText);
      // Where plain letters of that length are refused too, only the comments that were accepted are judged.
      const isTooLong = sameLength !== undefined && isRefused(sameLength.answer);
      const judged = isTooLong ? withText.filter(({ answer }) => answer.succeeded) : withText;
      requireOneAccepted(isTooLong ? judged : steps);
      judgeEach(judged, ({ answer }) => {
        leaveToOtherClauses(answer);
        expectSuccess(answer, 'an assignment with a comment');
      });
      commentJudges['comment.is-on-the-assignment']({ steps: judged });
    },
    'update.comment-is-optional': ({ steps }) => {
      requireOneAccepted(steps.filter(hasText));
      judgeEach(
        steps.filter((step) => !hasText(step)),
        ({ answer, comment }) => {
          leaveToOtherClauses(answer);
          expectSuccess(answer, `an assignment ${howCommented(comment)}`);
        },
      );
    },
  },
  observes: {
    'comment.normalization': ({ steps }) =>
      steps.flatMap(({ comment, answer, read }) => {
        const kept: unknown = taskOf(read).assignment?.assignment_comment;
        return answer.succeeded && typeof comment === 'string' && typeof kept === 'string'
          ? normalization('task', comment, kept)
          : [];
      }),
  },
});

/** Judges who assigned, by the answers: the assignee is the same in all steps, the actor changes if there are two. */
const expectWhoAssigned = eachStep(
  (step, all) => expectInAnswer(step, all, ({ by }) => ({ assigned_by_id: by })),
  // Other scenarios judge that there is an assignment, with all its fields.
  {
    matches: ({ answer: { succeeded, object } }) =>
      succeeded &&
      isObject(object?.assignment) &&
      typeof object.assignment.assigned_by_id === 'string',
    lacking: 'No assignment was answered with who assigned',
  },
);

/** A comment of as many letters as the longest comment of these steps has characters. */
const asLongAs = (steps: readonly Step[]): string =>
  'x'.repeat(Math.max(...steps.map(({ comment }) => comment?.length ?? 0)));

const hasText = ({ comment }: Step): boolean => typeof comment === 'string';

function requireOneAccepted(steps: readonly Step[]): void {
  if (steps.some(({ answer }) => answer.succeeded)) return;
  const answers = steps.map(({ answer }) => answer);
  throw new Inconclusive('No assignment with a comment was accepted.', answers);
}

const edgeCases = scenario({
  name: 'edge-case comments: empty, surrounded by white space, 4,000 characters long',
  needs: ['writable-task', 'user'],
  async act(world) {
    const { tasks, faker, mark } = world;
    const to = world.user();
    const long = `${mark()} ${faker.string.fromCharacters('abcdefghij klmnopqrst', 3979)}`;
    const steps = await takeSteps(world, await tasks.any(), [
      { to, comment: '' },
      { to, comment: `  kept? ${mark()}  ` },
      { to, comment: '  ' },
      { to, comment: `<${long}>` },
    ]);
    const [empty, spaced, blank, longest] = steps;
    if (!empty || !spaced || !blank || !longest) throw new Error('An assignment was not made.');
    return { steps, empty, spaced, blank, longest };
  },
  judges: {
    'update.keeps-the-other-fields': writeJudges['update.keeps-the-other-fields'],
    'comment.is-on-the-assignment': ({ longest }) => {
      // How long a comment may be is open; one that was accepted is kept whole.
      if (!longest.answer.succeeded) throw new NothingSeen();
      commentJudges['comment.is-on-the-assignment']({ steps: [longest] });
    },
  },
  observes: {
    'comment.when-empty': ({ empty }) => [outcomeOf(empty)],
    'comment.surrounding-white-space': ({ spaced, blank }) => [
      { when: 'around a text', outcome: outcomeOf(spaced) },
      { when: 'nothing else', outcome: outcomeOf(blank) },
    ],
    'comment.length-limit': ({ longest: { answer } }) => [
      { characters: 4000, outcome: answer.succeeded ? 'accepted' : { refused: answer.status } },
    ],
  },
});

/** What became of a comment: it was refused, or how the task that was read shows it. */
function outcomeOf({ comment, answer, read }: Step): CommentOutcome {
  if (!answer.succeeded) return { refused: answer.status };
  // Of any type: that it is a text or null is judged elsewhere.
  const kept: unknown = taskOf(read).assignment?.assignment_comment;
  if (kept === comment) return 'kept';
  if (kept === null) return 'null';
  if (kept === undefined) return 'missing';
  if (kept === '') return 'empty';
  if (typeof comment !== 'string') return 'changed';
  if (kept === comment.trim()) return 'trimmed';
  if (kept === comment.trimEnd()) return 'trimmed at the end';
  return kept === comment.trimStart() ? 'trimmed at the start' : 'changed';
}

export const commenting = [verbatim, edgeCases];
