import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type OpenClause, openClauses } from '../../schemas/clauses.ts';
import type { Profile } from '../../schemas/files.ts';
import { canonical, type Observation, type WriteOutcome } from '../../schemas/observations.ts';
import type { Operation } from '../../schemas/operations.ts';
import { identifierPattern } from '../../schemas/resources.ts';
import { allColumns } from '../export/columns.ts';
import { dateStyles, patternOf } from '../export/dates.ts';
import { type FileType, readListIn } from '../export/query.ts';
import type { Refusal, RefusalCause } from '../request.ts';
import type { AnswerBody } from '../rules/answer.ts';
import { isObject } from '../rules/body.ts';
import { quoted } from '../rules/export.ts';
import { defaultRules, type Rules } from '../rules.ts';
import { columnsCalled } from './columns-called.ts';

// From a profile of another service to rules of this one. The table has the open points that a client of a mock
// notices: statuses, bodies of errors, If-Match, headers, further fields, lists in a query, and what a CSV looks like.
// Other differences between a profile and this service are not reproduced, and `serve --profile` lists them.

/** What the suites observe of this service with its default rules; the proof compares the file with a run. */
export const ownProfile: Profile['observations'] = JSON.parse(
  readFileSync(new URL('./own-profile.json', import.meta.url), 'utf8'),
);

/**
 * Chooses the rules by which this service does what was observed of an open clause.
 * @param facts what was observed; each fact once
 * @param rules those chosen so far: the facts of several clauses can be about one rule
 * @returns undefined where no rules of this service do that
 */
type Choice<Id extends OpenClause> = (
  facts: readonly Observation<Id>[],
  rules: Rules,
) => Partial<Rules> | undefined;

/** The one value that a list holds, however often; undefined where there is none, or they differ. */
function single<Value>([first, ...others]: readonly Value[]): Value | undefined {
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}

/** The one status of the facts that are meant; undefined where there is none, or they differ. */
const statusOf = <Fact extends { readonly status: number }>(
  facts: readonly Fact[],
  isMeant: (fact: Fact) => boolean,
): number | undefined => single(facts.filter(isMeant).map(({ status }) => status));

/** A choice for the status with which an operation succeeds. */
const succeedsWith =
  (operation: Operation) =>
  (statuses: readonly number[], rules: Rules): Partial<Rules> | undefined => {
    const status = single(statuses);
    if (status === undefined) return undefined;
    return { successStatus: (of) => (of === operation ? status : rules.successStatus(of)) };
  };

/** What rules find wrong with the If-Match of a write: `none` where it assigned, or the status that refused it. */
function problemIn<When extends string>(
  facts: readonly { readonly when: When; readonly outcome: WriteOutcome }[],
  when: When,
): 'none' | number | undefined {
  const outcome = single(facts.filter((fact) => fact.when === when).map((fact) => fact.outcome));
  if (outcome === undefined) return undefined;
  if ('refused' in outcome) return outcome.refused;
  return outcome.accepted === 'assigned' ? 'none' : undefined;
}

/** A rule with these problems of an If-Match. A header that gets 409 has none: the version is compared, and differs. */
const ifMatchRule = (
  problemWith: (header: string | undefined) => 'none' | number | undefined,
  rules: Rules,
): Pick<Rules, 'ifMatchProblem'> => ({
  ifMatchProblem: (header) => {
    const problem = problemWith(header) ?? rules.ifMatchProblem(header);
    return header !== undefined && problem === 409 ? 'none' : problem;
  },
});

const scalars: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1,
  boolean: true,
  null: null,
};

/** Whether values of a shape can be made: the shape is known down to its scalars. */
function isComplete(shape: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return `${shape}` in scalars;
  return Object.values(shape).every(isComplete);
}

/** A value of a complete shape. @param content what a field of this name holds, if texts and numbers may be anything */
function sampleOf(
  shape: unknown,
  content: (field: string) => string | number | undefined = () => undefined,
  field = '',
): unknown {
  if (Array.isArray(shape)) return shape.map((item) => sampleOf(item, content, field));
  if (typeof shape === 'object' && shape !== null) {
    const fields = Object.entries(shape);
    return Object.fromEntries(fields.map(([name, of]) => [name, sampleOf(of, content, name)]));
  }
  const value = content(field);
  if (shape === 'string' && value !== undefined) return String(value);
  return shape === typeof value ? value : scalars[`${shape}`];
}

const causes: Readonly<Record<Observation<'errors.body-shape'>['when'], RefusalCause>> = {
  'no valid key': 'unauthorized',
  'unknown task': 'unknown-task',
  'unknown assessment': 'unknown-assessment',
  'old version': 'version-mismatch',
  'no If-Match': 'missing-version',
  'invalid body': 'invalid-body',
  'reversed range': 'invalid-export',
};

/** The body of a refusal in the observed form: the fields of its shape are filled by what their names suggest. */
function errorBody(
  { body, mediaType, shape = 'null' }: Observation<'errors.body-shape'>,
  { status, title, detail }: Refusal,
): AnswerBody {
  const content = (field: string): string | number => {
    if (/status|code/i.test(field)) return status;
    return /title|error|name|type/i.test(field) ? title : detail;
  };
  const json = (): string => JSON.stringify(sampleOf(shape, content));
  const text = { none: () => '', 'not JSON': () => detail, JSON: json }[body]();
  return { contentType: mediaType ?? undefined, text };
}

const uuid = new RegExp(identifierPattern);

const usualHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  etag: '"1"',
  vary: 'Accept-Encoding',
};

const contentTypeOf =
  (of: FileType) =>
  (types: readonly (string | null)[], rules: Rules): Partial<Rules> | undefined => {
    const type = single(types) ?? undefined;
    return type === undefined
      ? undefined
      : { contentType: (fileType) => (fileType === of ? type : rules.contentType(fileType)) };
  };

/** The choices by clause, in the order in which they are made. */
const choices: { readonly [Id in OpenClause]?: Choice<Id> } = {
  'update.success-status': succeedsWith('update-assignment'),
  'get-task.success-status': succeedsWith('get-task'),
  'get-assessment.success-status': succeedsWith('get-assessment'),

  'update.refused-body-status': (facts, rules) => {
    const isOutdated = ({ is }: (typeof facts)[number]) => is === 'missing, with an old version';
    // A service that accepts such a body, reading numbers as texts, is not reproduced.
    if (facts.some(({ status }) => status < 400)) return undefined;
    const noObject = statusOf(facts, ({ part }) => part === 'body');
    const invalid = statusOf(facts, (fact) => fact.part !== 'body' && !isOutdated(fact));
    const outdated = statusOf(facts, isOutdated);
    if (noObject === undefined || invalid === undefined) return undefined;
    const mismatch = rules.refusalStatus('version-mismatch');
    const isServed = outdated === mismatch || outdated === invalid;
    if (facts.some(isOutdated) && !isServed) return undefined;
    return {
      invalidBodyStatus: (body) => (isObject(body) ? invalid : noObject),
      isCheckedFirst: () => (outdated === mismatch && invalid !== mismatch ? 'version' : 'body'),
    };
  },

  'update.missing-if-match-status': (facts, rules) => {
    if (facts.some(({ status }) => status < 400)) return undefined;
    const isEmpty = ({ ifMatch }: (typeof facts)[number]) => ifMatch === 'empty';
    const missing = statusOf(facts, ({ ifMatch }) => ifMatch === 'missing');
    const empty = facts.some(isEmpty) ? statusOf(facts, isEmpty) : missing;
    if (missing === undefined || empty === undefined) return undefined;
    const problems = new Map([
      [undefined, missing],
      ['', empty],
    ]);
    return ifMatchRule((header) => problems.get(header), rules);
  },

  'update.quoted-if-match': (facts, rules) => {
    const forms = [
      { form: /^"(.*)"$/, problem: problemIn(facts, 'in quotes') },
      { form: /^W\/"(.*)"$/, problem: problemIn(facts, 'as a weak tag') },
    ];
    if (forms.some(({ problem }) => problem === undefined)) return undefined;
    const accepted = forms.filter(({ problem }) => problem === 'none');
    return {
      ...ifMatchRule((header = '') => forms.find(({ form }) => form.test(header))?.problem, rules),
      versionInIfMatch: (header) => {
        const [version] = accepted.flatMap(({ form }) => form.exec(header)?.[1] ?? []);
        return version ?? rules.versionInIfMatch(header);
      },
    };
  },

  'update.if-match-star': (facts, rules) => {
    const problem = problemIn(facts, '*');
    if (problem === undefined) return undefined;
    return {
      ...ifMatchRule((header) => (header === '*' ? problem : undefined), rules),
      starMatches: () => problem === 'none',
    };
  },

  'update.body-with-neither-object': (facts, rules) => {
    const statuses = facts.map(({ when, outcome }) => {
      return { when, status: 'refused' in outcome ? outcome.refused : 0 };
    });
    const status = statusOf(statuses, ({ when }) => when !== 'null for both');
    const nulls = statusOf(statuses, ({ when }) => when === 'null for both');
    if (!status || nulls !== rules.invalidBodyStatus({})) return undefined;
    return { bodyWithNeither: () => status };
  },

  'errors.body-shape': (facts) => {
    const bodies = new Map(facts.map((fact) => [causes[fact.when], fact]));
    const isKnown = facts.every(({ body, shape }) => body !== 'JSON' || isComplete(shape));
    const usual = bodies.get('invalid-body') ?? facts[0];
    if (bodies.size < facts.length || !isKnown || usual === undefined) return undefined;
    return { errorBody: (refusal) => errorBody(bodies.get(refusal.cause) ?? usual, refusal) };
  },

  'errors.further-statuses': (facts, rules) => {
    const own = new Set<string>(ownProfile['errors.further-statuses']?.map(canonical));
    const others = facts.filter((fact) => !own.has(canonical(fact)));
    type Case = Extract<(typeof facts)[number], { when: string }>;
    const isOfId = ({ when }: Case): boolean => when.endsWith('not UUID-shaped');
    const isOfMethod = ({ when }: Case): boolean => when === 'GET in place of PUT';
    const cases = facts.filter((fact): fact is Case => 'when' in fact);
    const [ofId = 404, ofMethod = 405] = [statusOf(cases, isOfId), statusOf(cases, isOfMethod)];
    const isServed = (fact: Case): boolean =>
      (isOfId(fact) && fact.status === ofId) || (isOfMethod(fact) && fact.status === ofMethod);
    const isPossible = others.every(
      (fact) => 'when' in fact && fact.status >= 400 && isServed(fact),
    );
    if (!isPossible) return undefined;
    return {
      refusalStatus: (cause) => (cause === 'other-method' ? ofMethod : rules.refusalStatus(cause)),
      ...(ofId !== 404 && { idProblem: (id) => (uuid.test(id) ? 'none' : ofId) }),
    };
  },

  /** Content-Length has a rule of its own: it can be sent only where a file is made whole first. */
  'interface.answer-headers': (facts) => {
    const namesOn = (on: (typeof facts)[number]['on']): string[] =>
      facts.filter((fact) => fact.on === on).flatMap(({ header }) => header ?? []);
    const further = [...new Set(facts.map(({ on }) => on))].map((on) =>
      namesOn(on).filter((name) => name !== 'content-length'),
    );
    const names = single(further);
    if (names === undefined || namesOn('task').includes('content-length')) return undefined;
    const headers = Object.fromEntries(names.map((name) => [name, usualHeaders[name] ?? 'x']));
    return {
      answerHeaders: () => headers,
      hasContentLength: (fileType) => namesOn(fileType).includes('content-length'),
    };
  },

  'fields.further-fields': (facts) => {
    const named = facts.flatMap(({ on, field, shape }) => (field ? [{ on, field, shape }] : []));
    if (!named.every(({ shape }) => isComplete(shape))) return undefined;
    return {
      furtherFields: (resource) =>
        Object.fromEntries(
          named
            .filter(({ on }) => on === resource)
            .map(({ field, shape = 'null' }) => [field, sampleOf(shape)]),
        ),
    };
  },

  'task.status-values': (facts, rules) => {
    const status = single(facts);
    if (status === undefined) return undefined;
    return {
      presentTask: (task, shownIn) => ({ ...rules.presentTask(task, shownIn), status }),
    };
  },

  'export.array-encoding': (facts) =>
    facts.every(({ values }) => values === 'several')
      ? { readList: readListIn(facts.map(({ encoding }) => encoding)) }
      : undefined,

  'export.csv-columns': ([fact, ...others]) => {
    if (fact === undefined || others.length > 0) return undefined;
    // With fewer columns than here, nothing shows which ones are missing.
    const isWhole = fact.columnsWithoutHeadings === allColumns.length;
    if (fact.headings === undefined) return isWhole ? { csvHeadings: () => undefined } : undefined;
    const columns = columnsCalled(fact.headings);
    return { csvColumns: () => columns };
  },

  'export.csv-form': (facts) => {
    const {
      delimiter,
      lineEnd,
      endsLastLine,
      byteOrderMark,
      quotes,
      headings,
      emptyWithoutEvents,
      ...others
    } = Object.assign({}, ...facts) as Observation<'export.csv-form'>;
    const own: object = Object.assign({}, ...(ownProfile['export.csv-form'] ?? []));
    const isPossible = Object.entries(others).every(([name, value]) =>
      Object.entries(own).some(([known, usual]) => known === name && usual === value),
    );
    const areMany = new Set(facts.flatMap(Object.keys)).size < facts.length;
    if (areMany || !isPossible || delimiter === undefined || lineEnd === undefined) {
      return undefined;
    }
    return {
      csvDelimiter: () => delimiter,
      csvLineEnd: () => lineEnd,
      csvEndsLastLine: () => endsLastLine ?? true,
      csvByteOrderMark: () => byteOrderMark ?? false,
      csvHeadingsWhenEmpty: () => emptyWithoutEvents !== true,
      ...(quotes === 'around every cell' && { csvCell: () => quoted }),
      ...(headings === false && { csvHeadings: () => undefined }),
    };
  },

  'export.date-style': (facts) => {
    const written = single(facts);
    if (written === undefined || written === 'not readable') return undefined;
    const style = Object.values(dateStyles).find(
      ({ order, write }) => order === written.order && patternOf(write) === written.pattern,
    );
    return style && { dateStyle: () => style.write };
  },

  'export.order-of-events': (facts, rules) => {
    const isStill = facts.every(({ again = 'the same' }) => again === 'the same');
    const isReversed = facts.some(({ byTime }) => byTime === 'newest first');
    if (!isStill || !isReversed || facts.length > 2) return undefined;
    return { orderEvents: (events) => rules.orderEvents(events).toReversed() };
  },

  'export.csv-content-type': contentTypeOf('csv'),
  'export.pdf-content-type': contentTypeOf('pdf'),

  'export.file-name': (facts) => {
    const headerOf = (fileType: FileType) =>
      single(facts.filter(({ of }) => of === fileType).map((fact) => fact.contentDisposition));
    const headers = { csv: headerOf('csv'), pdf: headerOf('pdf') };
    if (headers.csv === undefined || headers.pdf === undefined) return undefined;
    return {
      // The observed header has <n> and <id> where exports differ.
      contentDisposition: (fileType) =>
        headers[fileType]
          ?.replaceAll('<n>', '1')
          .replaceAll('<id>', '00000000-0000-4000-8000-000000000000'),
    };
  },
};

/** Chooses rules by which this service does what a profile says of another one, on the open points of the table. */
export function rulesOfProfile({ observations }: Pick<Profile, 'observations'>) {
  const observed = openClauses.filter((id) => id in observations);
  const covered = new Set(observed.filter((id) => isOwn(id, observations)));
  let rules: Partial<Rules> = {};
  // The type of `choices` allows no other keys.
  for (const id of Object.keys(choices) as OpenClause[]) {
    if (covered.has(id)) continue;
    const chosen = choose(id, observations, { ...defaultRules, ...rules });
    if (chosen === undefined) continue;
    rules = { ...rules, ...chosen };
    covered.add(id);
  }
  return {
    rules,
    /** Open clauses in which the service does as the profile says, by its default rules or by these. */
    covered: observed.filter((id) => covered.has(id)),
    /** Open clauses in which it does not: there the service keeps its default rules. */
    uncovered: observed.filter((id) => !covered.has(id)),
  };
}

/** Clauses of which a missing fact is a difference too; elsewhere it may only not have been seen. */
const sets: readonly OpenClause[] = [
  'audit.classification-values',
  'audit.event-fields',
  'export.array-encoding',
  'interface.answer-headers',
  'task.custom-metadata-contents',
  'task.nullable-fields',
];

/** Whether the service does what the profile says by its default rules. */
function isOwn(id: OpenClause, observations: Profile['observations']): boolean {
  const own = new Set<string>(ownProfile[id]?.map(canonical));
  const facts = new Set<string>(observations[id]?.map(canonical));
  return [...facts].every((fact) => own.has(fact)) && !(sets.includes(id) && facts.size < own.size);
}

/** The rules for one clause of the profile; undefined where it has no facts, or no rules do what they say. */
function choose<Id extends OpenClause>(
  id: Id,
  observations: Profile['observations'],
  rules: Rules,
): Partial<Rules> | undefined {
  const [facts, choice] = [observations[id], choices[id]];
  return facts && choice?.(facts, rules);
}
