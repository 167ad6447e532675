// Email of assignments: every fault is noticed; no variant, and no combination of variants, is accused. Its scenarios
// wait more than they work: many of them run at the same time.

import { describe, test } from 'vitest';
import { faults } from './faults.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';
import { variants } from './variants.ts';

const run = test.concurrent;

describe.concurrent('faults', () => proveFaults(faults.email, scenariosOf.email, { run }));
describe.concurrent('variants', () => proveVariants(variants.email, scenariosOf.email, { run }));
describe.concurrent('variants together', () =>
  proveTogether(combinationsOf(variants.email, 20), scenariosOf.email, { run }));
