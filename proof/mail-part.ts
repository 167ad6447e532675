import { faults } from '../reference/faults.ts';
import { variants } from '../reference/variants.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { notifications } from '../suites/notifications/index.ts';
import { isOfMail } from './json-part.ts';

/** The scenarios that wait for email: each takes its time, so they are played against what concerns them. */
export const mailScenarios: readonly AnyScenario[] = notifications;

/** The faults that show in email. */
export const mailFaults = faults.filter(({ breaks }) => breaks.some(isOfMail));

/** The variants of email. */
export const mailVariants = variants.filter(({ opens }) => isOfMail(opens));
