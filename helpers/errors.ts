/**
 * An error that whoever typed the command can put right: the message says what is wrong and what to do. It is shown
 * without a stack, and the exit code is 2. Any other error is a failure of the suite itself.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** The command line cannot be understood, or asks for something that there is not. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}

/** Variables are unusable. Each line of the message names one, its value (but for the key), and the valid form. */
export class ConfigurationError extends UserError {
  override readonly name = 'ConfigurationError';
}
