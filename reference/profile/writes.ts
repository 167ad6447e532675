import type { Operation } from '../../schemas/operations.ts';
import { noJsonObject } from '../rules/body.ts';
import { type Adaptation, type Adaptations, refusedWith } from './adaptation.ts';

const succeedsWith =
  (operation: Operation): Adaptation =>
  ({ only: status }, rules) =>
    typeof status === 'number'
      ? { successStatus: (asked) => (asked === operation ? status : rules.successStatus(asked)) }
      : undefined;

const refusedBodies: Adaptation = (seen, rules) => {
  const noJson = refusedWith(seen.ofAll(/^whose body/));
  const wrong = refusedWith(seen.ofAll(/^with (?!.*old version)|^without [\w.]+$|^whose update/));
  const both = refusedWith(seen.ofAll(/with an old version$/));
  if (noJson === undefined || wrong === undefined) return undefined;
  const version = rules.refusalStatus('version-mismatch');
  return {
    invalidBodyStatus: (problem) => (problem === noJsonObject ? noJson : wrong),
    isCheckedFirst: () => (both === version && wrong !== version ? 'version' : 'body'),
  };
};

const missingIfMatch: Adaptation = (seen, rules) => {
  const missing = refusedWith(seen.ofAll(/without If-Match$/));
  const empty = refusedWith(seen.of('with an empty If-Match') ?? `refused with ${missing}`);
  if (missing === undefined || empty === undefined) return undefined;
  return {
    ifMatchProblem: (header) => {
      if (header === undefined) return missing;
      return header === '' ? problemOf(empty) : rules.ifMatchProblem(header);
    },
  };
};

/** What differs from the current version gets 409 anyway. */
function problemOf(status: number): 'none' | number {
  return status === 409 ? 'none' : status;
}

/** Outcomes of a write that assigns, where it is open whether it is carried out. */
function isAssigned(outcome: string | undefined): boolean {
  return outcome === 'accepted, assigned';
}

const quoted = /^"(.*)"$/;
const weak = /^W\/"(.*)"$/;

const quotedIfMatch: Adaptation = (seen, rules) => {
  const forms = [
    { form: quoted, outcome: seen.of('in quotes') },
    { form: weak, outcome: seen.of('as a weak tag') },
  ].map(({ form, outcome }) => ({
    form,
    isTaken: isAssigned(outcome),
    status: refusedWith(outcome),
  }));
  if (forms.some(({ isTaken, status }) => !isTaken && status === undefined)) return undefined;
  return {
    versionInIfMatch: (header) => {
      const taken = forms.find(({ form, isTaken }) => isTaken && form.test(header));
      return taken?.form.exec(header)?.[1] ?? rules.versionInIfMatch(header);
    },
    ifMatchProblem: (header) => {
      const { status } = forms.find(({ form }) => form.test(header ?? '')) ?? {};
      return status === undefined ? rules.ifMatchProblem(header) : problemOf(status);
    },
  };
};

const star: Adaptation = (seen, rules) => {
  const outcome = seen.of('star');
  const status = refusedWith(outcome);
  if (status === undefined) return isAssigned(outcome) ? { starMatches: () => true } : undefined;
  return {
    starMatches: () => false,
    ifMatchProblem: (header) => (header === '*' ? problemOf(status) : rules.ifMatchProblem(header)),
  };
};

const sameInstant: Adaptation = (seen, rules) => {
  const zone = seen.of('another mark for UTC');
  const digits = seen.of('more fractional digits');
  const isKnown = [zone, digits].every(
    (outcome) => isAssigned(outcome) || refusedWith(outcome) === 409,
  );
  if (!isKnown) return undefined;
  const alike = (version: string): string => {
    const inZ = isAssigned(zone) ? version.replace(/[+-]00:00$/, 'Z') : version;
    return isAssigned(digits) ? inZ.replace(/(\.\d*?)0+(?=Z|[+-])/, '$1') : inZ;
  };
  return {
    versionMatches: (given, versions, change) =>
      rules.versionMatches(
        alike(given),
        { current: alike(versions.current), earlier: versions.earlier.map(alike) },
        change,
      ),
  };
};

const otherContentTypes: Adaptation = (seen, rules) => {
  const of = (situation: string): 'none' | number | undefined =>
    isAssigned(seen.of(situation)) ? 'none' : refusedWith(seen.of(situation));
  const [none, other] = [of('none'), of('text/plain')];
  if (none === undefined || other === undefined) return undefined;
  return {
    mediaTypeProblem: (contentType) => {
      if (contentType === undefined) return none;
      return rules.mediaTypeProblem(contentType) === 'none' ? 'none' : other;
    },
  };
};

const bothObjects: Adaptation = (seen) => {
  const outcome = seen.of('both');
  const done = {
    'accepted, assigned': 'update',
    'accepted, unassigned': 'unassign',
  } as const;
  const known = Object.entries(done).find(([words]) => words === outcome)?.[1];
  const result = known ?? refusedWith(outcome);
  return result === undefined ? undefined : { bodyWithBoth: () => result };
};

const neitherObject: Adaptation = (seen, rules) => {
  const outcome = seen.ofAll(/^an empty object$|^another field$/);
  const result = outcome === 'accepted, changed nothing' ? 'leave' : refusedWith(outcome);
  if (result === undefined) return undefined;
  const nulls = seen.of('null for both');
  const isInvalid = refusedWith(nulls) === rules.invalidBodyStatus('`update` is not an object.');
  if (nulls !== outcome && !isInvalid) return undefined;
  return {
    bodyWithNeither: () => result,
    ...(nulls === outcome && {
      bodyProblem: (body) => (isNullForBoth(body) ? undefined : rules.bodyProblem(body)),
    }),
  };
};

function isNullForBoth(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'update' in body && body.update === null && 'unassign' in body && body.unassign === null;
}

const unassignUnassigned: Adaptation = (seen) => {
  const outcome = seen.of('unassign');
  if (outcome === 'accepted, changed nothing') return { unassignUnassigned: () => 'leave' };
  if (outcome === 'accepted, gives a new version') return { unassignUnassigned: () => 'carry-out' };
  const status = refusedWith(outcome);
  return status === undefined ? undefined : { unassignUnassigned: () => status };
};

/** Refused comments get the status of any other invalid body. */
function isRefusedAsInvalid(outcome: unknown, invalidStatus: number): boolean {
  return refusedWith(`${outcome}`) === invalidStatus;
}

const emptyComment: Adaptation = ({ only: outcome }, rules) => {
  if (outcome === 'kept') return {};
  if (outcome === 'null') {
    return {
      commentToStore: (comment, earlier) =>
        comment === '' ? null : rules.commentToStore(comment, earlier),
    };
  }
  if (!isRefusedAsInvalid(outcome, rules.invalidBodyStatus(''))) return undefined;
  return {
    commentProblem: (comment) => (comment === '' ? 'It is empty.' : rules.commentProblem(comment)),
  };
};

const trims: Readonly<Record<string, (comment: string) => string | null>> = {
  kept: (comment) => comment,
  'taken away': (comment) => comment.trim(),
  'taken away at the end': (comment) => comment.trimEnd(),
  'taken away at the beginning': (comment) => comment.trimStart(),
  empty: () => '',
  null: () => null,
};

const whiteSpace: Adaptation = (seen, rules) => {
  const around = trims[seen.of('around a text') ?? ''];
  const blank = trims[seen.of('and nothing else') ?? ''];
  if (around === undefined || blank === undefined) return undefined;
  return {
    commentToStore: (comment, earlier) => {
      if (typeof comment !== 'string' || comment === '') {
        return rules.commentToStore(comment, earlier);
      }
      return (comment.trim() === '' ? blank : around)(comment);
    },
  };
};

const longest = 3999;

const commentLength: Adaptation = (seen, rules) => {
  const outcome = seen.of('4,000 characters');
  if (outcome === 'accepted') return {};
  if (!isRefusedAsInvalid(outcome, rules.invalidBodyStatus(''))) return undefined;
  return {
    commentProblem: (comment) =>
      comment.length > longest ? 'It is too long.' : rules.commentProblem(comment),
  };
};

/** What writes get (1. Update a task assignment, States and transitions). */
export const writeAdaptations: Adaptations = {
  'update.success-status': succeedsWith('update-assignment'),
  'get-task.success-status': succeedsWith('get-task'),
  'get-assessment.success-status': succeedsWith('get-assessment'),
  'update.refused-body-status': refusedBodies,
  'update.missing-if-match-status': missingIfMatch,
  'update.quoted-if-match': quotedIfMatch,
  'update.if-match-star': star,
  'update.if-match-same-instant': sameInstant,
  'update.other-content-types': otherContentTypes,
  'update.body-with-both-objects': bothObjects,
  'update.body-with-neither-object': neitherObject,
  'unassign.on-an-unassigned-task': unassignUnassigned,
  'comment.when-empty': emptyComment,
  'comment.surrounding-white-space': whiteSpace,
  'comment.length-limit': commentLength,
};
