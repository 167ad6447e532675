import type { JudgedClause } from '../schemas/clauses.ts';
import type { Wrong } from '../schemas/difference.ts';
import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import type { Known } from '../schemas/waivers.ts';

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

/** Violations by their cause, what harms users most first, otherwise in the catalogue's order. @param isCounted which violations are looked at */
export function findingsOf(
  { clauses, violations }: Pick<Results, 'clauses' | 'violations'>,
  isCounted: (violation: ViolationResult) => boolean = () => true,
): Finding[] {
  const violated = clauses.filter(({ verdict }) => verdict === 'violated');
  const counted = violated.flatMap(({ id }) =>
    violations.filter((one) => one.clause === id && isCounted(one)),
  );
  const findings = groupsOf(counted).map((group) => ({
    violations: group,
    clauses: violated.filter(({ id }) => group.some((one) => one.clause === id)),
  }));
  const worst = ({ violations: found }: Finding): number => Math.min(...found.map(harmOf));
  return findings.sort((a, b) => worst(a) - worst(b));
}

/** What a fault does to users, by its rank: the worst first. */
const harm = { disclosedOrLost: 0, written: 1, otherDataShown: 2, anotherForm: 3 };

/** The harm of what no other kind of difference fits; where nothing stands here, an answer of another form. */
const harmsOfOthers: Readonly<Partial<Record<Wrong, number>>> = {
  'refuses with the record': harm.disclosedOrLost,
  'refuses with a PDF': harm.disclosedOrLost,
  'refuses with events': harm.disclosedOrLost,
  'answers with another task': harm.disclosedOrLost,
  'answers with another assessment': harm.disclosedOrLost,
  'sends email to somebody else': harm.disclosedOrLost,
  'loses a tag in a comment': harm.disclosedOrLost,
  'accepts several simultaneous writes': harm.written,
  'carries out an unassignment that lost': harm.written,
  'names the former assignee': harm.written,
  'sends email': harm.written,
};

function harmOf({ on, difference }: ViolationResult): number {
  // A read is blamed for what a write before it has changed.
  const isWrite = on.some(({ request }) => request.startsWith('PUT '));
  switch (difference.kind) {
    case 'status': {
      const { expected, actual, isEmpty } = difference;
      const isAccepted = actual < 300 && !expected.startsWith('2') && !isEmpty;
      if (!isAccepted) return harm.anotherForm;
      if (expected === '401' || expected === '404') return harm.disclosedOrLost;
      return isWrite ? harm.written : harm.anotherForm;
    }
    case 'field': {
      const { wrong, write } = difference;
      if (write !== undefined) return harm.written;
      if (wrong === 'form' || wrong === 'missing') return harm.anotherForm;
      return isWrite && wrong !== 'stays' ? harm.written : harm.otherDataShown;
    }
    case 'events':
      return difference.missing > 0 ? harm.disclosedOrLost : harm.otherDataShown;
    case 'bound':
      return difference.found === 'twice' ? harm.otherDataShown : harm.disclosedOrLost;
    case 'dates':
      return harm.otherDataShown;
    case 'other':
      return harmsOfOthers[difference.wrong] ?? harm.anotherForm;
  }
}

/**
 * The violations in groups, the most telling one of each first: each shares a sign with another one of its group, and none
 * with those of other groups.
 */
export function groupsOf(violations: readonly ViolationResult[]): Finding['violations'][] {
  let groups: { place: number; members: ViolationResult[]; signs: Set<string> }[] = [];
  for (const [index, violation] of violations.entries()) {
    const own = signsOf(violation);
    const sharing = groups.filter(({ signs }) => own.some((sign) => signs.has(sign)));
    const joined = {
      place: Math.min(index, ...sharing.map(({ place }) => place)),
      members: [...sharing.flatMap(({ members }) => members), violation],
      signs: new Set([...sharing.flatMap(({ signs }) => [...signs]), ...own]),
    };
    groups = [...groups.filter((one) => !sharing.includes(one)), joined];
  }
  return groups
    .sort((a, b) => a.place - b.place)
    .map(({ members }) => {
      const telling = members.reduce(moreTelling);
      return [telling, ...members.filter((one) => one !== telling)];
    });
}

/** The findings of a run: those that count, then those that waivers cover. */
export function findingsUnder(
  results: Results,
  { covered }: { readonly covered: ReadonlyMap<ViolationResult, unknown> },
): { readonly finding: Finding; readonly isWaived: boolean }[] {
  return [false, true].flatMap((isWaived) =>
    findingsOf(results, (one) => covered.has(one) === isWaived).map((finding) => ({
      finding,
      isWaived,
    })),
  );
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
        return [
          ...fields.map((field) => sign(wrong === 'form' ? 'form' : 'value', of, field)),
          // A value of a wrong form may be a wrong value too: what is shown makes both one finding.
          sign('shows', fields[0]?.split('.').at(-1), difference.actual),
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
  // What is no text says nothing.
  const known = (
    wrong: readonly (string | false | undefined)[],
    of: readonly string[] = [],
  ): Known => ({
    request: blamed?.request ?? '',
    wrong: [difference.kind, ...wrong].filter((one) => typeof one === 'string'),
    of: [...new Set(of)],
  });
  switch (difference.kind) {
    case 'status': {
      const { expected, actual, isGeneral, asked = [] } = difference;
      // Nearly every export has a range, and which timezone is asked for makes no difference.
      const of = asked.filter((one) => !one.startsWith('range_'));
      return known(
        [expected, `${Math.floor(actual / 100)}xx`, isGeneral && inGeneral],
        (of.length > 0 ? of : asked).map((one) => one.replace(/^timezone=.*/, 'timezone')),
      );
    }
    case 'field': {
      const { of, fields, wrong = 'value', write } = difference;
      if (write === undefined) return known([of, wrong], fields);
      return isRefused(write.statuses)
        ? known([of, 'refused'], fields.slice(0, 1))
        : known([of, 'carried out'], [write.how]);
    }
    case 'events': {
      const { fileType, missing, extra, isRepeated, isAnyOf, lostValues, parameter } = difference;
      const { ignored = [], beside = [] } = difference;
      const wrong = [
        fileType,
        missing > 0 && 'missing',
        extra > 0 && (isRepeated ? 'twice' : 'too many'),
        isAnyOf && 'any of them',
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
      return known([difference.fileType, difference.isUtc && 'in UTC']);
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

const generalClauses: ReadonlySet<string> = new Set<JudgedClause>([
  'endpoints.refused-write-changes-nothing',
  'export.answers-200',
  'versioning.paths-are-under-v5',
]);

/** The violation that says more about the cause; the first one where both say as much. */
function moreTelling(one: ViolationResult, other: ViolationResult): ViolationResult {
  const [weights, others] = [weightsOf(one), weightsOf(other)];
  const more = others.map((weight, index) => weight - (weights[index] ?? 0)).find((by) => by !== 0);
  return more !== undefined && more > 0 ? other : one;
}

/** How much a violation says about its cause, as numbers: the first that differs decides which of two says more. */
function weightsOf({ clause, difference, intermittent }: ViolationResult): number[] {
  const events = difference.kind === 'events' ? difference : undefined;
  const { ignored, isAnyOf, isOneEvent, beside = [], common, missing = 0 } = events ?? {};
  // A violation about one event shows only that this event came in spite of the parameter.
  const namesParameters = (ignored !== undefined && !isOneEvent) || isAnyOf === true;
  // Events that share an empty cell explain a loss only: where they are too many, the compared export has lost them.
  const namesLost = common !== undefined && (common.value !== '' || missing > 0);
  // A clause about every request of an operation says least.
  const isOfSome = events !== undefined || !generalClauses.has(clause);
  const saysWhen = difference.kind === 'field' && difference.when !== undefined;
  // A status that answers everything tried sends nobody to look for a cause in one request.
  const isOfAll = difference.kind === 'status' && difference.isGeneral === true;
  return [
    namesParameters ? 10 - Math.min(beside.length, 9) : 0,
    Number(namesLost && !namesParameters),
    Number(isOfSome),
    Number(saysWhen || isOfAll),
    Number(!intermittent),
  ];
}
