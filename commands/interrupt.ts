import { writeSync } from 'node:fs';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `stop` at the first signal to end. A second signal ends the process at once, as if nobody listened.
 * @param lastWords said to the standard error before that
 * @returns a function that stops listening
 */
export function onInterrupt(stop: (signal: NodeJS.Signals) => void, lastWords = ''): () => void {
  let isStopping = false;
  const forget = (): void => {
    for (const signal of signals) process.off(signal, listener);
  };
  const listener = (signal: NodeJS.Signals): void => {
    if (!isStopping) {
      isStopping = true;
      stop(signal);
      return;
    }
    forget();
    writeSync(process.stderr.fd, lastWords);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return forget;
}
