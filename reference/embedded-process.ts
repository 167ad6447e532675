// The embedded service as a process: see embedded.ts for who starts it.
import { startReference } from './serve.ts';

// Ctrl-C reaches every process of a terminal, and what the run has changed is put back after it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

process.send?.((await startReference({ seed: Number(process.argv[2]) })).variables);
