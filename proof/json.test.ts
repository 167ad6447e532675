// The three JSON operations: every fault is noticed; no variant, and no combination of variants, is accused.

import { describe } from 'vitest';
import { faults } from './faults.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';
import { sampled } from './sample.ts';
import { variants } from './variants.ts';

describe('faults', () => proveFaults(sampled(faults.json, 4), scenariosOf.json));
describe('variants', () => proveVariants(sampled(variants.json, 3), scenariosOf.json));
describe('variants together', () =>
  proveTogether(sampled(combinationsOf(variants.json, 40), 3), scenariosOf.json));
