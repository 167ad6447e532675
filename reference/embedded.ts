import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { variablesOf } from './serve.ts';

// The same file is compiled in the package and is TypeScript in a clone, where something must load it.
const isCompiled = import.meta.url.endsWith('.js');
const program = new URL(`./embedded-process.${isCompiled ? 'js' : 'mjs'}`, import.meta.url);

/**
 * Starts the service in a process of its own: what it computes takes no time from those who judge it, and neither its
 * memory nor its pauses are theirs. It ends with the process that started it, however that ends.
 * @param seed of everything random in it
 * @returns the configuration of a run against it, by variable, and the id of the process
 * @throws Error where the process does not start; what it wrote to stderr stands on ours
 */
export async function startEmbedded(seed: number) {
  const service = fork(fileURLToPath(program), [String(seed)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(service, 'exit');
  const started = once(service, 'message');
  const first = await Promise.race([started, exited.then(() => undefined)]);
  if (first === undefined) throw new Error('The embedded service did not start.');
  // The process sends nothing else.
  const [variables] = first as [ReturnType<typeof variablesOf>];
  return {
    variables,
    pid: service.pid ?? 0,
    /** Ends the process. */
    async close(): Promise<void> {
      if (service.connected) service.disconnect();
      await exited;
    },
  };
}
