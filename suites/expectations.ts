import type { Answer } from '../helpers/http/answer.ts';
import { isObject, jsonObject, shortJson } from '../helpers/json.ts';
import {
  type Case,
  Inconclusive,
  NothingSeen,
  NotJudged,
  other,
  Violation,
} from '../helpers/outcomes.ts';
import type { SchemaProblem } from '../helpers/validation.ts';
import type { FieldDifference, OtherDifference } from '../schemas/difference.ts';

/* What judges expect of answers, and when they leave a verdict open. */

/** @throws Violation unless the answer has this status; the parameters are those of `unlikeStatus` */
export function expectStatus(
  answer: Answer,
  status: number,
  when: string,
  also?: { on?: readonly Answer[] },
): void {
  if (answer.status !== status) throw unlikeStatus(when, `${status}`, answer, also);
}

/**
 * The violation of an answer whose status is not the expected one.
 * @param when what was asked for, as a noun
 * @param expected a status, or "2xx"
 * @param on further answers that show it
 * @param isGeneral whether all requests like it are answered so
 */
export function unlikeStatus(
  when: string,
  expected: string,
  answer: Answer,
  {
    on = [],
    asked = [],
    isGeneral = false,
  }: {
    readonly on?: readonly Answer[];
    readonly asked?: readonly string[];
    readonly isGeneral?: boolean | undefined;
  } = {},
): Violation {
  return new Violation(
    {
      kind: 'status',
      when,
      expected,
      actual: answer.status,
      ...(isGeneral && { isGeneral }),
      ...(isEmpty(answer) && { isEmpty: true }),
      ...(asked.length > 0 && { asked: [...asked] }),
    },
    [answer, ...on],
  );
}

/** Whether a success carries nothing: an export no file, a read no record, a write not the comment that it sent. */
function isEmpty({ succeeded, exchange, object, text }: Answer): boolean {
  if (!succeeded) return false;
  if (exchange.operation === 'export') return text === '' || object !== undefined;
  if (object?.id === undefined) return true;
  const { update } = jsonObject(exchange.request.body) ?? {};
  const sent = isObject(update) ? update.assignment_comment : undefined;
  const { assignment } = object;
  // Nearly every write sends a new comment: one that is not shown was not taken.
  return (
    typeof sent === 'string' && !(isObject(assignment) && assignment.assignment_comment === sent)
  );
}

/** @throws Violation unless the answer is a success; the document does not show which 2xx it is */
export function expectSuccess(answer: Answer, when: string): void {
  if (answer.succeeded) return;
  throw unlikeStatus(when, '2xx', answer);
}

/** @throws Violation unless the answer is a success with an object that has all these fields */
export function expectFullObject(
  answer: Answer,
  of: 'task' | 'assessment',
  fields: readonly string[],
): void {
  // Whether the key is accepted is a clause of its own.
  if (answer.status === 401) throw new Inconclusive(`${answer.request} gave 401.`, [answer]);
  if (!answer.succeeded) throw unlikeStatus(`a configured ${of}`, '2xx', answer);
  if (answer.object === undefined) throw new Violation(noJsonObject(answer), [answer]);
  const { object } = answer;
  const missing = fields.filter((field) => !(field in object));
  if (missing.length > 0) throw new Violation(missingFields(of, missing), [answer]);
}

/** The difference of an answer that should carry a JSON object, and does not. */
export function noJsonObject({ bytes, text }: Answer): OtherDifference {
  const actual = bytes.length === 0 ? 'no body' : shortJson(text);
  return other('answers without a JSON object', { actual });
}

/** The difference of a record with a field that is missing, or not as its schema says. */
export function formDifference(
  of: 'task' | 'assessment',
  { kind, field, expected, actual }: SchemaProblem,
): FieldDifference {
  const wrong = kind === 'missing' ? 'missing' : 'form';
  return { kind: 'field', of, fields: [field], expected, actual, wrong };
}

/** The difference of a record that lacks these fields. */
export function missingFields(
  of: 'task' | 'assessment',
  fields: readonly string[],
): FieldDifference {
  const [expected, actual] = ['the field', 'no such field'];
  return { kind: 'field', of, fields: [...fields], expected, actual, wrong: 'missing' };
}

/**
 * A refusal proves something only if the same request without the defect is accepted.
 * @throws Inconclusive unless the twin was accepted; `what` names the twin, as a noun
 */
export function requireTwin(twin: Answer, what: string): void {
  if (twin.succeeded) return;
  const { request, status } = twin;
  throw new Inconclusive(
    `The refusal proves nothing: ${what} was not accepted either: ${request} gave ${status}.`,
    [twin],
  );
}

/** @throws Inconclusive unless the write was accepted: what it left behind is judged only then */
export function requireAccepted(answer: Answer): void {
  if (answer.succeeded) return;
  throw new Inconclusive(`${answer.request} was not accepted: ${answer.status}.`, [answer]);
}

/** @throws Inconclusive where a valid write gets 401 or 409: that breaks clauses about keys and versions, no others */
export function leaveToOtherClauses(answer: Answer): void {
  if (answer.status === 401 || answer.status === 409) requireAccepted(answer);
}

/** What distinguishes a request from others of its kind, each as a phrase: "right after a read of an unknown task". */
export interface WithFacts {
  readonly facts: readonly string[];
  readonly answer: Answer;
}

/**
 * Judges each piece of evidence. A violation in one counts more than that others are inconclusive. The first is thrown.
 * @param common what all pieces are, as a noun: said where all are wrong
 * @returns the pieces with facts, as cases: a violation carries them too
 * @throws NotJudged where no piece gives anything to judge by
 */
export function judgeEach<Piece extends object>(
  pieces: readonly Piece[],
  judge: (piece: Piece) => void,
  common?: string,
): readonly Case[] {
  let undecided: Inconclusive | undefined;
  let unjudged: NotJudged | undefined;
  const wrong = new Map<Piece, Violation>();
  const right = new Set<Piece>();
  for (const piece of pieces) {
    try {
      judge(piece);
      right.add(piece);
    } catch (error) {
      if (error instanceof Violation) wrong.set(piece, error);
      else if (error instanceof Inconclusive) undecided ??= error;
      else if (error instanceof NotJudged) unjudged ??= error;
      else throw error;
    }
  }
  const cases = pieces
    .filter((one): one is Piece & WithFacts => 'facts' in one)
    .map(
      (one): Case => ({
        facts: one.facts,
        request: one.answer.request,
        is: wrong.has(one) ? 'wrong' : right.has(one) ? 'right' : 'not judged',
      }),
    );
  const [first] = wrong.values();
  if (first !== undefined) {
    const areOfBothKinds = new Set(Array.from(wrong.values(), ({ on }) => on[0]?.sends)).size > 1;
    if (cases.length > 0 && areOfBothKinds)
      first.on = first.on.map(({ sends: _, ...shown }) => shown);
    throw Object.assign(first, { cases, common });
  }
  if (undecided !== undefined) throw undecided;
  if (right.size === 0) throw unjudged ?? new NothingSeen();
  return cases;
}

/** Whether an answer says that the write was not carried out. */
export function isRefused({ status }: Answer): boolean {
  return status >= 400;
}
