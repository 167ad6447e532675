/** The command line cannot be understood. The message says what is wrong and what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
