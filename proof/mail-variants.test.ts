import { test } from 'vitest';
import { mailScenarios, mailVariants } from './mail-part.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';

proveVariants(mailVariants, mailScenarios, {}, test.concurrent);
proveTogether(combinationsOf(mailVariants, 20), mailScenarios, {}, test.concurrent);
