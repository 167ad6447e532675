import { test } from 'vitest';
import { mailFaults, mailScenarios } from './mail-part.ts';
import { proveFaults } from './prove-faults.ts';

proveFaults(mailFaults, mailScenarios, {}, test.concurrent);
