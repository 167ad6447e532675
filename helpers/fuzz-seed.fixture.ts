import fc from 'fast-check';

// The same inputs each time, so that a test fails by what was changed and not by chance. `FUZZ_SEED=2` looks at others.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
