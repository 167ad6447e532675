import type { Options } from './options.ts';

/** One thing that the command line does. */
export interface Command {
  /** What it does, as one line. */
  readonly summary: string;
  /** What stands beside the options, for the help: `A B`. */
  readonly operands?: string;
  readonly options: Options;
  /**
   * @param args what follows the command's name
   * @returns the exit code
   * @throws UsageError, ConfigurationError
   */
  run(args: readonly string[]): Promise<number>;
}
