import type { JudgedClause } from '../schemas/clauses.ts';
import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import type { Known } from '../schemas/waivers.ts';
import type { WaiverReview } from './waivers.ts';

/*
 * A fault shows in many ways: a 409 that stores the comment breaks what is said of conflicts, of versions, of If-Match.
 * Violations that differ in the same way are one finding, whatever clauses they are of.
 */

/** Violations that have one cause, as far as can be seen. */
export interface Finding {
  /** The violation that says most about the cause, then the others in the catalogue's order. */
  readonly violations: readonly [ViolationResult, ...ViolationResult[]];
  /** In the catalogue's order. */
  readonly clauses: readonly ClauseResult[];
}

/** Violations by their cause, in the catalogue's order. @param without violations that do not count */
export function findingsOf(
  { clauses, violations: all }: Pick<Results, 'clauses' | 'violations'>,
  without: { has(violation: ViolationResult): boolean } = new Set(),
): Finding[] {
  const violated = clauses.filter(({ verdict }) => verdict === 'violated');
  const counting = violated.flatMap(({ id }) =>
    all.filter((one) => one.clause === id && !without.has(one)),
  );
  const groups: Group[] = [];
  for (const violation of counting) {
    const signs = signsOf(violation);
    // Groups that share a sign with the violation become one, with the violation.
    const sharing = groups.filter(({ signs: known }) => signs.some((sign) => known.has(sign)));
    const [group, ...others] = sharing;
    if (group === undefined) {
      groups.push({ violations: [violation], signs: new Set(signs) });
      continue;
    }
    for (const other of others) groups.splice(groups.indexOf(other), 1);
    group.violations.push(...others.flatMap(({ violations }) => violations), violation);
    for (const { signs: known } of others) for (const sign of known) group.signs.add(sign);
    for (const sign of signs) group.signs.add(sign);
  }
  return groups.map(({ violations: [first, ...more] }) => {
    const violation = more.reduce(moreTelling, first);
    const others = [first, ...more].filter((one) => one !== violation);
    return {
      violations: [violation, ...others],
      clauses: violated.filter(({ id }) => [first, ...more].some((one) => one.clause === id)),
    };
  });
}

/** The findings of a run: those that count, then those that waivers cover. */
export function findingsUnder(
  results: Results,
  { covered }: Pick<WaiverReview, 'covered'>,
): { readonly finding: Finding; readonly isWaived: boolean }[] {
  const isCounting = { has: (violation: ViolationResult) => !covered.has(violation) };
  return [covered, isCounting].flatMap((without) =>
    findingsOf(results, without).map((finding) => ({
      finding,
      isWaived: without === isCounting,
    })),
  );
}

interface Group {
  readonly violations: [ViolationResult, ...ViolationResult[]];
  readonly signs: Set<string>;
}

/** Keys by which violations of one run are grouped: two that share a key are one finding. Other runs have `knownBy`. */
function signsOf({ clause, on, difference }: ViolationResult): string[] {
  const request = on[0]?.request ?? '';
  const sign = (...parts: readonly unknown[]): string => JSON.stringify(parts);
  switch (difference.kind) {
    case 'status': {
      const { when, expected: right, actual: wrong } = difference;
      const same = sign('status', when, right, wrong);
      // Wrong answers to one request without a valid key have one cause, whatever else was asked.
      if (right === '401') return [same, sign('key', request)];
      // Exports are refused for many reasons; the other operations have one for each status.
      const isExport = request.includes('/audit-sentinel/');
      const refused = isExport ? on[0]?.exchange : request;
      return [same, sign('status of', refused, right, wrong)];
    }
    case 'field': {
      const { of, fields, wrong, write } = difference;
      if (wrong === 'missing') {
        return [sign('missing', of, request), ...fields.map((one) => sign('missing', of, one))];
      }
      if (write === undefined) {
        // A value of a wrong form may be a wrong value too: what is shown makes both one finding.
        const shown = ['shows', fields[0]?.split('.').at(-1), difference.actual];
        return [
          ...fields.map((field) => sign(wrong === 'form' ? 'form' : 'value', of, field)),
          sign(...shown),
        ];
      }
      return isRefused(write.statuses)
        ? fields.map((field) => sign('refused', of, field))
        : [sign('carried out', clause)];
    }
    case 'events': {
      const { fileType, missing, extra, rows = [], when } = difference;
      const { ignored = [], isAnyOf, isOneEvent, beside = [], common } = difference;
      const direction = [fileType, missing > 0, extra > 0];
      return [
        sign('events', when, ...direction),
        // Where one of two filters is enough, a single request looks as if the other were ignored.
        ...[...ignored, ...(isAnyOf ? beside : [])].map((name) => sign('ignored', name)),
        ...(isOneEvent ? ignored.map((name) => sign('reaches too far', name)) : []),
        // Lost events that have something in common have one cause, whatever was asked for.
        ...(common === undefined ? [] : [sign('lost', fileType, common.heading, common.value)]),
        ...rows.map((row) => sign('row', row, ...direction)),
      ];
    }
    case 'bound':
      // A fault of one bound is mostly one of the other too: both are rounded, for example.
      return [
        sign('bounds', difference.found),
        ...(difference.found === 'twice' ? [sign('reaches too far', difference.bound)] : []),
      ];
    case 'dates': {
      const { timezone, fileType, isUtc, lateBy } = difference;
      return [
        sign('dates', timezone, fileType),
        sign('date', timezone, difference.expected, difference.actual),
        ...(isUtc ? [sign('dates in UTC')] : []),
        ...(lateBy === undefined || isUtc ? [] : [sign('dates late', fileType, lateBy)]),
      ];
    }
    case 'other':
      return [sign('other', difference.wrong, difference.of, difference.hours, difference.status)];
  }
}

/**
 * How a violation is recognized in another run, which has other data and asks in another order: by what is wrong with
 * the service, and not by which of several scenarios, requests and values showed it.
 */
export function knownBy({
  on: [blamed],
  difference,
}: Pick<ViolationResult, 'on' | 'difference'>): Known {
  const known = (wrong: readonly (string | undefined)[], of: readonly string[] = []): Known => ({
    request: blamed?.request ?? '',
    wrong: [difference.kind, ...wrong].filter((one) => one !== undefined),
    of: [...new Set(of)],
  });
  switch (difference.kind) {
    case 'status': {
      const { expected, actual, isGeneral, asked = [] } = difference;
      // Nearly every export has a range, and which timezone is asked for makes no difference.
      const of = asked.filter((one) => !one.startsWith('range_'));
      return known(
        [expected, `${Math.floor(actual / 100)}xx`, isGeneral ? inGeneral : undefined],
        (of.length > 0 ? of : asked).map((one) => one.replace(/^timezone=.*/, 'timezone')),
      );
    }
    case 'field': {
      const { of, fields, wrong = 'value', write } = difference;
      if (write === undefined) {
        return known([of, wrong], fields);
      }
      return isRefused(write.statuses)
        ? known([of, 'refused'], fields.slice(0, 1))
        : known([of, 'carried out'], [write.how]);
    }
    case 'events': {
      const { fileType, missing, extra, isRepeated, isAnyOf, lostValues, parameter } = difference;
      const { ignored = [], beside = [] } = difference;
      const wrong = [
        fileType,
        missing > 0 ? 'missing' : undefined,
        extra > 0 ? (isRepeated ? 'twice' : 'too many') : undefined,
        isAnyOf ? 'any of them' : undefined,
      ];
      const own = [parameter ?? lostValues?.of ?? []].flat();
      // Nothing shows which parameter of a request is handled wrongly. Runs ask for different keys of metadata.
      const together = [...ignored, ...beside.map((one) => `beside ${one}`)];
      return known(
        wrong,
        (together.length > 0 ? together : own).map((one) => one.replace(/\[.*/, '')),
      );
    }
    case 'bound':
      return known([difference.found], [difference.bound]);
    case 'dates':
      return known([difference.fileType, ...(difference.isUtc ? ['in UTC'] : [])]);
    case 'other':
      return known([difference.wrong, difference.of], [difference.parameter ?? []].flat());
  }
}

/** Marks that all that was tried of a kind is answered so: a violation in some of it is a part of that. */
const inGeneral = 'whatever is tried';

/** Whether what was seen of a clause is the known wrong, or a part of it. */
export function isSameWrong(known: Known, seen: Known): boolean {
  return (
    known.request === seen.request &&
    [seen.wrong, [...seen.wrong, inGeneral]].some((wrong) => wrong.join() === known.wrong.join()) &&
    (known.of.length + seen.of.length === 0 || known.of.some((of) => seen.of.includes(of)))
  );
}

/** Whether a write was refused: all of its statuses are 400 or above. */
export function isRefused(statuses: readonly number[]): boolean {
  return statuses.every((status) => status >= 400);
}

/** The violation that says more about the cause; the first one where both say as much. */
function moreTelling(one: ViolationResult, other: ViolationResult): ViolationResult {
  return weightOf(other) > weightOf(one) ? other : one;
}

const generalClauses: ReadonlySet<string> = new Set<JudgedClause>([
  'export.answers-200',
  'versioning.paths-are-under-v5',
]);

/**
 * How much a violation says about its cause, as a number to compare: for a field, more if it says when that is wrong;
 * for an export, more if it names an ignored parameter, with few beside it, or what the lost events have in common.
 */
function weightOf({ clause, difference, intermittent }: ViolationResult): number {
  const steady = intermittent ? 0 : 1;
  if (difference.kind !== 'events') {
    // A clause about every request says least.
    const isGeneral = generalClauses.has(clause);
    const saysWhen = difference.kind === 'field' && difference.when !== undefined;
    // A status that answers everything tried sends nobody to look for a cause in one request.
    const isOfAll = difference.kind === 'status' && difference.isGeneral;
    return (isGeneral ? 0 : 100) + (saysWhen || isOfAll ? 2 : 0) + steady;
  }
  const { ignored, isAnyOf, isOneEvent, beside = [], common } = difference;
  // A violation about one event shows only that this event came in spite of the parameter.
  const isExplained = (ignored !== undefined && !isOneEvent) || isAnyOf === true;
  if (isExplained) return 300 - 10 * Math.min(beside.length, 9) + steady;
  // Events that share an empty cell explain a loss only: where they are too many, the compared export has lost them.
  const isLost = common !== undefined && (common.value !== '' || difference.missing > 0);
  return (isLost ? 150 : 100) + steady;
}
