const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `stop` at the first signal to end. A second signal ends the process at once, as if nobody listened.
 * @returns a function that stops listening
 */
export function onInterrupt(stop: (signal: NodeJS.Signals) => void): () => void {
  const forget = (): void => {
    for (const signal of signals) process.off(signal, listener);
  };
  const listener = (signal: NodeJS.Signals): void => {
    forget();
    stop(signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return forget;
}
