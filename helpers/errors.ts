/**
 * What whoever started this can put right: the message says what is wrong and what to do. Shown without a stack; the
 * exit code is 2. Any other error is a failure of the suite itself.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** The command line, or what it asks for, cannot be understood. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}

/** Variables that cannot be used. Each line of the message names one, its value (never of the key), and the valid form. */
export class ConfigurationError extends UserError {
  override readonly name = 'ConfigurationError';
}
