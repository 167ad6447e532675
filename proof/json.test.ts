// The three JSON operations: every fault is noticed; no variant, and no combination of variants, is accused.

import { describe } from 'vitest';
import { faults } from '../reference/faults.ts';
import { variants } from '../reference/variants.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';

describe('faults', () => proveFaults(faults.json, scenariosOf.json));
describe('variants', () => proveVariants(variants.json, scenariosOf.json));
describe('variants together', () =>
  proveTogether(combinationsOf(variants.json, 40), scenariosOf.json));
