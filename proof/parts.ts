import { reduced } from '../contract/selection.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { type ClauseId, clauses } from '../schemas/clauses.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { everyAnswer } from '../suites/every-answer.ts';
import { exportSuites, jsonSuites as json } from '../suites/index.ts';
import { notifications } from '../suites/notifications.ts';
import { sequences } from '../suites/sequences.ts';
import { type Fault, faults } from './faults.ts';
import { isWhole } from './sample.ts';
import type { Variant } from './variants.ts';

// The parts of the interface, as the catalogues of faults and of variants have them: each is proved by scenarios of its
// own, because downloads and email take their time.

/**
 * The scenarios that look at any of these clauses; all of them, where that is only what holds for every answer: others got
 * those answers.
 */
export function lookingAt(
  ids: readonly ClauseId[],
  scenarios: readonly AnyScenario[],
): readonly AnyScenario[] {
  const looking = scenarios.filter((one) => clauseIdsOf(one).some((id) => ids.includes(id)));
  const isOfOthers = ({ name }: AnyScenario): boolean =>
    everyAnswer.every((one) => one.name !== name);
  return looking.some(isOfOthers) ? looking : scenarios;
}

const brokenBy = (some: readonly { readonly breaks: readonly ClauseId[] }[]): ClauseId[] =>
  some.flatMap(({ breaks }) => breaks);

const exporting = [
  ...Object.values(exportSuites).flat(),
  // Sequences send no exports.
  ...lookingAt(brokenBy(faults.export), json).filter((one) => !sequences.includes(one)),
];

/** What the scenarios of exports look at too: they get few answers of the other operations. */
const ofExports = (scenario: AnyScenario): AnyScenario[] =>
  reduced(
    scenario,
    (id) =>
      id === 'errors.server-error-does-not-last' ||
      exporting.some((one) => clauseIdsOf(one).includes(id)),
  );

/** The scenarios of exports, with those of the key, which all operations have in common. */
export const exportsOfAllSequences: readonly AnyScenario[] = [
  ...exporting,
  ...everyAnswer.flatMap(ofExports),
];

/** The events of one sequence are enough, in half of the time, where own events are not what is proved. */
const ofOneSequence = ({ looksAt, ...one }: AnyScenario): AnyScenario => ({
  ...one,
  ...(looksAt && { looksAt: looksAt.filter((other) => !sequences.slice(1).includes(other)) }),
});

/** Whether a variant shows in own events: in their comments, or in what is recorded of them. */
export const isOfOwnEvents = ({ opens }: Variant): boolean => /^(?:audit|comment)\./.test(opens);

/** The scenarios of each part: they must notice its faults, and accept its variants. */
export const scenariosOf = {
  json: [...json, ...everyAnswer],
  export: isWhole ? exportsOfAllSequences : exportsOfAllSequences.map(ofOneSequence),
  email: notifications,
} satisfies Readonly<Record<keyof typeof faults, readonly AnyScenario[]>>;

export const parts = ['json', 'export', 'email'] as const;

/** Enough to find most faults among. */
export const fewEvents = { pastEvents: 200 };

/** Where what is proved does not show among the few events that a run has otherwise. */
export const moreEvents = { pastEvents: 800 };

/** More than a PDF may hold, and more than the window that is looked at. */
export const manyEvents = { pastEvents: 12_000 };

/** What shows among many events, and what shows among few. */
export function byNumberOfEvents<T extends { readonly showsAmongMany?: true }>(
  all: readonly T[],
): { readonly many: readonly T[]; readonly few: readonly T[] } {
  return {
    many: all.filter(({ showsAmongMany }) => showsAmongMany),
    few: all.filter(({ showsAmongMany }) => !showsAmongMany),
  };
}

/** The scenarios that look at how much one file may hold. */
export const sizeScenarios = lookingAt(
  [...brokenBy(byNumberOfEvents(faults.export).many), 'export.pdf-holds-the-events-of-the-csv'],
  scenariosOf.export,
);

/** Whether a fault of the export shows in what a query selects; the others show in files. */
export function isOfQueries({ breaks }: Fault): boolean {
  const headings: readonly string[] = ['4. Export audit events: query parameters', 'Errors'];
  return breaks.some((id) => headings.includes(clauses[id].section));
}

/** Whether it makes PDFs that look otherwise. */
export const isOfPdfs = ({ rules = {} }: Fault | Variant): boolean =>
  Object.keys(rules).some((rule) => rule.startsWith('pdf'));

/** Whether it breaks the lines of a PDF at marks that do not show elsewhere: only a drawn file has such lines. */
export const breaksLines = ({ id }: Fault | Variant): boolean =>
  id === 'export-pdf-has-soft-hyphens';

/** Whether PDFs are drawn for it, and read again: where it does not show in text, and in the whole proof wherever it may show. */
export function isDrawnOtherwise(one: Fault | Variant): boolean {
  if (!one.id.startsWith('export-pdf-')) return false;
  if (isWhole) return one.wire !== undefined || isOfPdfs(one);
  const isOfBytes = 'breaks' in one && one.breaks.some((id) => id.startsWith('export.pdf-'));
  return breaksLines(one) || (one.wire !== undefined && isOfBytes);
}

/** Whether a variant of the export shows in the form of a CSV. */
export function isOfCsv({ opens }: Variant): boolean {
  const ids: readonly ClauseId[] = [
    'export.csv-columns',
    'export.csv-form',
    'export.csv-content-type',
    'export.date-style',
  ];
  return ids.includes(opens);
}

/** The judged clauses that email shows. */
export function judgedByEmail({ clauses }: Results): ClauseResult[] {
  const ids = new Set<string>(scenariosOf.email.flatMap(({ judges }) => Object.keys(judges)));
  return clauses.filter(({ id }) => ids.has(id));
}
