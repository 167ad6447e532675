import { answerVariants } from './variants/answers.ts';
import { auditVariants } from './variants/audit.ts';
import { commentVariants } from './variants/comments.ts';
import { errorBodyVariants } from './variants/error-bodies.ts';
import { exportVariants } from './variants/export.ts';
import { notificationVariants } from './variants/notifications.ts';
import { openFieldVariants } from './variants/open-fields.ts';
import { refusedWriteVariants } from './variants/refused-writes.ts';
import { statusVariants } from './variants/statuses.ts';
import type { Variant } from './variants/variant.ts';

export type { Variant } from './variants/variant.ts';

/** Other services that the document permits just as well. The suites must find nothing wrong with any of them. */
export const variants: readonly Variant[] = [
  ...statusVariants,
  ...errorBodyVariants,
  ...refusedWriteVariants,
  ...commentVariants,
  ...openFieldVariants,
  ...answerVariants,
  ...auditVariants,
  ...notificationVariants,
  ...exportVariants,
];
