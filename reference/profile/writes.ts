import type { CommentOutcome, WriteOutcome } from '../../schemas/observations.ts';
import type { Operation } from '../../schemas/operations.ts';
import { isObject } from '../rules/body.ts';
import type { Rules } from '../rules.ts';
import { type Adaptations, common, ifKnown, outcomeOf } from './adaptation.ts';

const succeedsWith =
  (operation: Operation) =>
  (statuses: readonly number[], rules: Rules): Partial<Rules> | undefined =>
    ifKnown(common(statuses), (status) => ({
      successStatus: (asked) => (asked === operation ? status : rules.successStatus(asked)),
    }));

type Accepted = Extract<WriteOutcome, { readonly accepted: unknown }>['accepted'];

/**
 * What a rule returns that either refuses a write or says what is done: the status of a refusal, or what stands for
 * that which was done; undefined where something else was done.
 */
function decision<Done>(
  outcome: WriteOutcome | undefined,
  done: { readonly [What in Accepted]?: Done },
): Done | number | undefined {
  if (outcome === undefined) return undefined;
  return 'refused' in outcome ? outcome.refused : done[outcome.accepted];
}

/** Whether a write that assigns was accepted, as rules say what is wrong with it: nothing, or the status it gets. */
const problemOf = (outcome: WriteOutcome | undefined): 'none' | number | undefined =>
  decision(outcome, { assigned: 'none' as const });

/** Finds these problems with an If-Match. Whatever is sent and gets 409 is compared with the version, and differs. */
const ifMatchRule = (
  problemWith: (header: string | undefined) => 'none' | number | undefined,
  rules: Rules,
): Pick<Rules, 'ifMatchProblem'> => ({
  ifMatchProblem: (header) => {
    const problem = problemWith(header) ?? rules.ifMatchProblem(header);
    return header !== undefined && problem === 409 ? 'none' : problem;
  },
});

/** Refused comments get the status of any other invalid body. */
const isRefusedAsInvalid = (outcome: CommentOutcome | 'accepted' | undefined, rules: Rules) =>
  typeof outcome === 'object' && outcome.refused === rules.invalidBodyStatus({});

const trims: {
  readonly [Outcome in CommentOutcome & string]?: (comment: string) => string | null;
} = {
  kept: (comment) => comment,
  trimmed: (comment) => comment.trim(),
  'trimmed at the end': (comment) => comment.trimEnd(),
  'trimmed at the start': (comment) => comment.trimStart(),
  empty: () => '',
  null: () => null,
};

const trimOf = (outcome: CommentOutcome | undefined) =>
  typeof outcome === 'string' ? trims[outcome] : undefined;

const isNullForBoth = (body: unknown): boolean =>
  isObject(body) && body.update === null && body.unassign === null;

/** What writes get (1. Update a task assignment, States and transitions). */
export const writeAdaptations: Adaptations = {
  'update.success-status': succeedsWith('update-assignment'),
  'get-task.success-status': succeedsWith('get-task'),
  'get-assessment.success-status': succeedsWith('get-assessment'),

  'update.refused-body-status': (facts, rules) => {
    const statusOf = (chosen: typeof facts) => common(chosen.map(({ status }) => status));
    const isOutdated = ({ is }: (typeof facts)[number]) => is === 'missing, with an old version';
    // Numbers are read as texts.
    if (facts.some(({ status }) => status < 400)) return undefined;
    const noObject = statusOf(facts.filter(({ part }) => part === 'body'));
    const invalid = statusOf(facts.filter((fact) => fact.part !== 'body' && !isOutdated(fact)));
    const outdated = statusOf(facts.filter(isOutdated));
    if (noObject === undefined || invalid === undefined) return undefined;
    const mismatch = rules.refusalStatus('version-mismatch');
    return {
      invalidBodyStatus: (body) => (isObject(body) ? invalid : noObject),
      isCheckedFirst: () => (outdated === mismatch && invalid !== mismatch ? 'version' : 'body'),
    };
  },

  'update.missing-if-match-status': (facts, rules) => {
    const statusOf = (ifMatch: 'missing' | 'empty') =>
      common(facts.filter((fact) => fact.ifMatch === ifMatch).map(({ status }) => status));
    return ifKnown(statusOf('missing'), (missing) => {
      const empty = statusOf('empty') ?? missing;
      const problems = new Map([
        [undefined, missing],
        ['', empty],
      ]);
      return ifMatchRule((header) => problems.get(header), rules);
    });
  },

  'update.quoted-if-match': (facts, rules) => {
    const forms = [
      { form: /^"(.*)"$/, problem: problemOf(outcomeOf(facts, 'in quotes')) },
      { form: /^W\/"(.*)"$/, problem: problemOf(outcomeOf(facts, 'as a weak tag')) },
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

  'update.if-match-star': (facts, rules) =>
    ifKnown(problemOf(outcomeOf(facts, '*')), (problem) => ({
      ...ifMatchRule((header) => (header === '*' ? problem : undefined), rules),
      starMatches: () => problem === 'none',
    })),

  'update.if-match-same-instant': (facts, rules) => {
    const zone = problemOf(outcomeOf(facts, 'another mark for UTC'));
    const digits = problemOf(outcomeOf(facts, 'more fractional digits'));
    if (![zone, digits].every((problem) => problem === 'none' || problem === 409)) return undefined;
    const alike = (version: string): string => {
      const inZ = zone === 'none' ? version.replace(/[+-]00:00$/, 'Z') : version;
      return digits === 'none' ? inZ.replace(/(\.\d*?)0+(?=Z|[+-])/, '$1') : inZ;
    };
    return {
      versionMatches: (given, { current, earlier }, change) =>
        rules.versionMatches(
          alike(given),
          { current: alike(current), earlier: earlier.map(alike) },
          change,
        ),
    };
  },

  'update.other-content-types': (facts, rules) => {
    const none = problemOf(outcomeOf(facts, 'none'));
    const other = problemOf(outcomeOf(facts, 'text/plain'));
    if (none === undefined || other === undefined) return undefined;
    return {
      mediaTypeProblem: (contentType) => {
        if (contentType === undefined) return none;
        return rules.mediaTypeProblem(contentType) === 'none' ? 'none' : other;
      },
    };
  },

  'update.body-with-both-objects': (facts) =>
    ifKnown(
      decision<'update' | 'unassign'>(outcomeOf(facts, 'both'), {
        assigned: 'update',
        unassigned: 'unassign',
      }),
      (result) => ({ bodyWithBoth: () => result }),
    ),

  'update.body-with-neither-object': (facts, rules) => {
    const decisionOn = (when: (typeof facts)[number]['when']) =>
      decision(outcomeOf(facts, when), { 'nothing changed': 'leave' as const });
    const neither = common([decisionOn('an empty object'), decisionOn('another field')]);
    const nulls = decisionOn('null for both');
    const areAlike = nulls === neither;
    if (!areAlike && nulls !== rules.invalidBodyStatus({})) return undefined;
    return ifKnown(neither, (result) => ({
      bodyWithNeither: () => result,
      ...(areAlike && {
        bodyProblem: (body) => (isNullForBoth(body) ? undefined : rules.bodyProblem(body)),
      }),
    }));
  },

  'unassign.on-an-unassigned-task': (facts) =>
    ifKnown(
      decision<'leave' | 'carry-out'>(outcomeOf(facts, 'unassign'), {
        'nothing changed': 'leave',
        'new version': 'carry-out',
      }),
      (result) => ({ unassignUnassigned: () => result }),
    ),

  'comment.when-empty': (facts, rules) => {
    const outcome = common(facts);
    if (outcome === 'kept') return {};
    if (outcome === 'null') {
      return {
        commentToStore: (comment, earlier) =>
          comment === '' ? null : rules.commentToStore(comment, earlier),
      };
    }
    if (!isRefusedAsInvalid(outcome, rules)) return undefined;
    return {
      commentProblem: (comment) =>
        comment === '' ? 'It is empty.' : rules.commentProblem(comment),
    };
  },

  'comment.surrounding-white-space': (facts, rules) => {
    const around = trimOf(outcomeOf(facts, 'around a text'));
    const blank = trimOf(outcomeOf(facts, 'nothing else'));
    if (around === undefined || blank === undefined) return undefined;
    return {
      commentToStore: (comment, earlier) => {
        if (!comment) return rules.commentToStore(comment, earlier);
        return (comment.trim() === '' ? blank : around)(comment);
      },
    };
  },

  'comment.normalization': (facts) => (facts.every(({ kept }) => kept) ? {} : undefined),

  'comment.length-limit': (facts, rules) => {
    const refused = facts.filter(({ outcome }) => outcome !== 'accepted');
    if (refused.length === 0) return {};
    if (!refused.every(({ outcome }) => isRefusedAsInvalid(outcome, rules))) return undefined;
    const tooLong = Math.min(...refused.map(({ characters }) => characters));
    return {
      commentProblem: (comment) =>
        comment.length >= tooLong ? 'It is too long.' : rules.commentProblem(comment),
    };
  },
};
