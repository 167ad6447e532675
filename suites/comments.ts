import { NothingSeen } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { CommentOutcome } from '../schemas/observations.ts';
import { judgesBy, ofTask } from './answers.ts';
import { answersAndReads, commentJudges, type Step, takeSteps, writeJudges } from './writes.ts';

/*
 * Comments of which the document does not say what becomes of them. That all others are kept verbatim, but for their line
 * ends and their Unicode form, are optional and belong to their assignment only, is judged in sequences.ts.
 */

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
    ...judgesBy(ofTask, answersAndReads),
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

export const commenting = [edgeCases];
