import type { RowContext } from './columns.ts';
import type { Locale } from './locale.ts';

/** How the cells of one export are written. */
export interface ExportContext extends Omit<RowContext, 'number'> {
  readonly locale: Locale;
  /** The same text wherever dates are written in the same way; missing: nothing is remembered for other exports. */
  readonly writing?: string;
}
