// Email of assignments: every fault is noticed; no variant, and no combination of variants, is accused.

import { describe } from 'vitest';
import { faults } from './faults.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';
import { variants } from './variants.ts';

describe('faults', () => proveFaults(faults.email, scenariosOf.email));
describe('variants', () => proveVariants(variants.email, scenariosOf.email));
describe('variants together', () =>
  proveTogether(combinationsOf(variants.email, 20), scenariosOf.email));
