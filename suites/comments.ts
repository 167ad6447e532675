import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { shortJson } from '../helpers/validation.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { expectSuccess, mismatch, namesNobody } from './expectations.ts';

/** Each in one piece: nothing at its ends that a service might trim. */
export const comments: readonly string[] = [
  'He said "now", she said \'later\'; 5 < 6 && 7 > 2 \\ 100 % <b>&amp;</b> <script>1</script> {{name}}',
  'first line\nsecond line\n\n\tindented,  with  double  spaces',
  'Grüße, žluťoučký kůň, Привет, γειά σου, שלום, مرحبا, 你好, こんにちは, 👩‍👩‍👧 🏳️‍🌈 𝒳 👍🏽 and so on',
];

interface Commented {
  readonly comment: string | null | undefined;
  readonly answer: Answer;
  readonly read: Answer;
}

/** Assigns the task with each comment in turn. */
async function assignWith(
  { api, actor: by, user }: World,
  task: Task,
  list: readonly (string | null | undefined)[],
): Promise<Commented[]> {
  const made: Commented[] = [];
  let current = task;
  for (const comment of list) {
    const remark = comment === undefined ? { by } : { by, comment };
    const answer = await api.assign(current, user(), remark);
    const read = await api.task(task.id);
    made.push({ comment, answer, read });
    current = taskOf(read);
  }
  return made;
}

function expectComment({ comment, answer, read }: Commented): void {
  const { assignment } = taskOf(read);
  if (namesNobody(assignment)) throw new Inconclusive('The task was not assigned.');
  const wrong = mismatch({ assignment_comment: comment ?? null }, assignment);
  if (wrong === undefined) return;
  throw new Violation('the comment on the task', { ...wrong, on: [read, answer] });
}

const toTheLetter = scenario({
  name: 'comments with quotes, markup, line breaks, other scripts and emoji are kept to the letter',
  needs: ['writable-task', 'user'],
  async act(world) {
    return await assignWith(world, await world.tasks.any(), comments);
  },
  judges: {
    'comment.is-on-the-assignment': (made) => {
      if (!made.some(({ answer }) => answer.succeeded)) {
        throw new Inconclusive('No assignment was accepted.');
      }
      for (const one of made) {
        expectSuccess(one.answer, 'an assignment with a comment');
        expectComment(one);
      }
    },
  },
});

const withoutComment = scenario({
  name: 'an assignment without a comment does not keep the earlier one',
  needs: ['writable-task', 'user'],
  async act(world) {
    const earlier = world.chance.lorem.sentence();
    const task = await world.tasks.assignedTo(world.user(), { comment: earlier });
    const [without] = await assignWith(world, task, [undefined]);
    if (without === undefined) throw new Error('No assignment was made.');
    const between = await world.tasks.bringTo(taskOf(without.read), world.user(), {
      comment: earlier,
    });
    const [withNull] = await assignWith(world, between, [null]);
    if (withNull === undefined) throw new Error('No assignment was made.');
    return { earlier, made: [without, withNull] };
  },
  judges: {
    'update.comment-is-optional': ({ made }) => {
      for (const { answer, comment } of made) {
        expectSuccess(
          answer,
          `an assignment ${comment === null ? 'with the comment null' : 'without a comment'}`,
        );
      }
    },
    'comment.is-not-carried-over': ({ made }) => {
      for (const { answer, read } of made) {
        if (!answer.succeeded) throw new Inconclusive('The assignment was not accepted.');
        const { assignment } = taskOf(read);
        const kept = assignment?.assignment_comment;
        // No comment may be null, or an empty text.
        if (kept === null || kept === undefined || kept === '') continue;
        throw new Violation('the comment after an assignment without one', {
          expected: 'null',
          actual: shortJson(kept),
          on: [read, answer],
        });
      }
    },
  },
});

const edges = scenario({
  name: 'comments at the edges: empty, with white space around, of 4,000 characters',
  needs: ['writable-task', 'user'],
  async act(world) {
    const long = world.chance.string.fromCharacters('abcdefghij klmnopqrst', 3998);
    const task = await world.tasks.any();
    const made = await assignWith(world, task, ['', '  kept?  ', `<${long}>`]);
    const [empty, spaced, longest] = made;
    if (!empty || !spaced || !longest) throw new Error('An assignment was not made.');
    return { empty, spaced, longest };
  },
  judges: {
    'comment.is-on-the-assignment': ({ longest }) => {
      // How long a comment may be is open; one that was accepted is kept whole.
      if (longest.answer.succeeded) expectComment(longest);
    },
  },
  observes: {
    'comment.when-empty': ({ empty }) => fateOf(empty),
    'comment.surrounding-white-space': ({ spaced }) => fateOf(spaced),
    'comment.length-limit': ({ longest: { answer } }) =>
      answer.succeeded ? '4,000 characters are accepted' : `4,000 characters: ${answer.status}`,
  },
});

function fateOf({ comment, answer, read }: Commented): string {
  if (!answer.succeeded) return `${answer.status}`;
  const kept = taskOf(read).assignment?.assignment_comment;
  if (kept === comment) return 'kept';
  return kept === null ? 'null' : 'changed';
}

export const commenting = [toTheLetter, withoutComment, edges];
