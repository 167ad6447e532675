import type { JudgedClause } from '../schemas/clauses.ts';
import type { Known } from '../schemas/files.ts';
import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import { inGeneral, kindOf } from './differences.ts';
import { exchangesOf, inBrackets } from './wording.ts';
import type { Texts } from './wrongs.ts';

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

function harmOf({ on, difference }: ViolationResult): number {
  // A read is blamed for what a write before it has changed.
  const isWrite = on.some(({ request }) => request.startsWith('PUT '));
  return kindOf(difference).harm(difference, isWrite);
}

/** The violations in groups: those that share a sign are in one. The most telling one of each stands first. */
export function groupsOf(violations: readonly ViolationResult[]): Finding['violations'][] {
  let groups: { place: number; members: ViolationResult[]; signs: Set<string> }[] = [];
  for (const [index, violation] of violations.entries()) {
    const { difference } = violation;
    const own = kindOf(difference)
      .signs(difference, violation)
      .map((parts) => JSON.stringify(parts));
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

/** What is wrong with the service, in one line: “PUT …/update-assignment accepts an old If-Match: 200, not 409”. */
export function headlineOf({ violations }: Pick<Finding, 'violations'>): string {
  const [violation] = violations;
  return `${requestOf(violation)}${sentIn(violations)}${textsOf(violation).does}`;
}

/** A violation in one line: what is wrong, and the exchanges that show it. */
export function violationText(violation: ViolationResult): string {
  return `${headlineOf({ violations: [violation] })}${inBrackets(exchangesOf(violation))}`;
}

/** All else that a finding shows in: what was asked for otherwise, then the other requests. */
export function otherWays({ violations }: Pick<Finding, 'violations'>): string[] {
  const [first, ...others] = violations;
  const { difference, on } = first;
  // Another clause may be about the very same answer, which is no other way.
  const elsewhere = others.filter((one) => one.on[0]?.exchange !== on[0]?.exchange);
  const isSaidOfAll = difference.kind === 'status' && difference.isGeneral === true;
  const headline = headlineOf({ violations });
  const isSaid = (way: string): boolean =>
    way.split(' and ').every((part) => headline.includes(part));
  const waysBy = (wayOf: (violation: ViolationResult) => string): string[] =>
    [...new Set(elsewhere.map(wayOf))].filter((way) => !isSaid(way) && way !== wayOf(first));
  return [...(isSaidOfAll ? [] : waysBy(wayOf)), ...waysBy(requestOf)];
}

/** The texts of a violation: its part of the headline, what was expected, and what came. */
export function textsOf({ difference }: Pick<ViolationResult, 'difference'>): Texts {
  return kindOf(difference).texts(difference);
}

function wayOf({ difference }: ViolationResult): string {
  return kindOf(difference).way(difference);
}

/**
 * “ (unassign)” or “ (update)” where all blamed writes sent that object, as the other may be handled rightly; else an
 * empty text. “ (update)” is said only of writes that changed a field or were to be refused: most others assign.
 */
function sentIn(violations: Finding['violations']): string {
  const [violation] = violations;
  const { difference } = violation;
  if (!requestOf(violation).startsWith('PUT ')) return '';
  const isOfWrite = difference.kind === 'field' && difference.write !== undefined;
  // What is said in general is said of both.
  if (difference.kind === 'status' && difference.isGeneral) return '';
  const isToBeRefused = difference.kind === 'status' && difference.expected !== '2xx';
  const blamed = violations.flatMap(({ on }) => (isOfWrite ? on : on.slice(0, 1)));
  const writes = blamed.filter(({ request }) => request.startsWith('PUT '));
  const [sent, ...others] = new Set(writes.map(({ sends }) => sends));
  const isNamed = sent === 'unassign' || (sent === 'update' && (isOfWrite || isToBeRefused));
  return isNamed && others.length === 0 ? ` (${sent})` : '';
}

/** The request to blame, “PUT …/update-assignment”; where a write changed the field of the difference, that write. */
function requestOf({ on, difference }: Pick<ViolationResult, 'on' | 'difference'>): string {
  const isOfWrite = difference.kind === 'field' && difference.write !== undefined;
  const write = isOfWrite ? on.find(({ request }) => request.startsWith('PUT ')) : undefined;
  const request = (write ?? on[0])?.request ?? 'The service';
  return request.replace(/ (?:\/[^/]+){2,}(?=\/[a-z-]+$)/, ' …');
}

/** How a violation is recognized in another run: by what is wrong, whichever scenario, request and values showed it. */
export function knownBy({ on: [blamed], difference }: ViolationResult): Known {
  const { wrong, of = [] } = kindOf(difference).known(difference);
  return {
    request: blamed?.request ?? '',
    wrong: [difference.kind, ...wrong].filter((one) => typeof one === 'string'),
    of: [...new Set(of)],
  };
}

/** Whether what was seen of a clause is the known wrong, or a part of it. */
export function isSameWrong(known: Known, seen: Known): boolean {
  return (
    known.request === seen.request &&
    [seen.wrong, [...seen.wrong, inGeneral]].some((wrong) => wrong.join() === known.wrong.join()) &&
    (known.of.length + seen.of.length === 0 || known.of.some((of) => seen.of.includes(of)))
  );
}

const generalClauses: ReadonlySet<string> = new Set<JudgedClause>([
  'endpoints.refused-write-changes-nothing',
  'export.answers-200',
  'versioning.paths-are-under-v5',
]);

function moreTelling(one: ViolationResult, other: ViolationResult): ViolationResult {
  const [weights, others] = [weightsOf(one), weightsOf(other)];
  const more = others.map((weight, index) => weight - (weights[index] ?? 0)).find((by) => by !== 0);
  return more !== undefined && more > 0 ? other : one;
}

/** How much a violation says about its cause, as numbers: the first that differs decides which of two says more. */
function weightsOf({ clause, difference, intermittent }: ViolationResult): number[] {
  const [parameters, lost, when] = kindOf(difference).weight?.(difference) ?? [0, 0, 0];
  // A clause about every request of an operation says least.
  const isOfSome = difference.kind === 'events' || !generalClauses.has(clause);
  return [parameters, lost, Number(isOfSome), when, Number(!intermittent)];
}
