import type { Variant } from './variant.ts';

/** What becomes of comments where the document is silent (States and transitions). */
export const commentVariants: readonly Variant[] = [
  {
    id: 'an-empty-comment-becomes-null',
    opens: 'comment.when-empty',
    rules: { commentToStore: (comment) => comment || null },
  },
  {
    id: 'an-empty-comment-is-refused',
    opens: 'comment.when-empty',
    rules: { commentProblem: (comment) => (comment === '' ? 'It is empty.' : undefined) },
  },
  {
    id: 'a-comment-of-white-space-becomes-null',
    opens: 'comment.surrounding-white-space',
    follows: ['comment.when-empty'],
    rules: { commentToStore: (comment) => (comment?.trim() === '' ? null : (comment ?? null)) },
  },
  {
    id: 'white-space-around-a-comment-is-taken-away',
    opens: 'comment.surrounding-white-space',
    rules: { commentToStore: (comment) => comment?.trim() ?? null },
  },
  {
    id: 'white-space-behind-a-comment-is-taken-away',
    opens: 'comment.surrounding-white-space',
    rules: { commentToStore: (comment) => comment?.trimEnd() ?? null },
  },
  ...[255, 2000].map(
    (limit): Variant => ({
      id: `a-comment-over-${limit}-characters-is-refused`,
      opens: 'comment.length-limit',
      rules: {
        commentProblem: (comment) => (comment.length > limit ? 'It is too long.' : undefined),
      },
    }),
  ),
];
