import type { Variable } from '../schemas/configuration.ts';
import type { Difference, OtherDifference, Wrong } from '../schemas/difference.ts';
import type { Answer } from './http/answer.ts';
import { jsonObject } from './json-object.ts';

/** An answer, or whatever else came of an exchange. */
interface OfExchange {
  readonly exchange: { readonly number: number };
}

/** What a judge throws, apart from a Violation, where the evidence does not decide. */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive';
  /** Numbers of the exchanges that show it, in order. */
  readonly exchanges: readonly number[];

  /** @param on what shows it; the message does not name the numbers of exchanges */
  constructor(why: string, on: readonly OfExchange[] = []) {
    super(why);
    this.exchanges = on.map(({ exchange }) => exchange.number);
  }
}

/** What a judge throws where somebody else has changed what is judged. */
export class Disturbance extends Inconclusive {
  override readonly name = 'Disturbance';
}

/** Thrown where what the target holds gives nothing to judge with. */
export class NotJudged extends Error {
  override readonly name: string = 'NotJudged';
}

/** Thrown where nothing came up that a clause says something about, and nothing is missing for that. */
export class NothingSeen extends NotJudged {
  override readonly name = 'NothingSeen';

  constructor() {
    super('Nothing came up to judge it by.');
  }
}

/** Thrown where what was looked at could have shown that a clause is broken, and does not show that it is kept. */
export class CannotUphold extends NotJudged {
  override readonly name = 'CannotUphold';
}

/** Thrown where the configuration gives nothing to judge with. */
export class NotConfigured extends NotJudged {
  override readonly name: string = 'NotConfigured';
  readonly variable: Variable;
  /** What is missing, as a phrase: "a second user". */
  readonly what: string;

  constructor(variable: Variable, what: string) {
    super(`${variable}: ${what}`);
    this.variable = variable;
    this.what = what;
  }
}

/** Thrown where all that could be looked at upholds the clause, and the configuration gives nothing to judge the rest with. */
export class PartNotConfigured extends NotConfigured {
  override readonly name = 'PartNotConfigured';
}

/** An exchange that shows a violation. */
export interface ShownBy {
  readonly exchange: number;
  /** Method and path, without ids: `PUT /tasks/{id}/update-assignment`. */
  readonly request: string;
  /** Which of the two objects the body of a write holds; missing where it is not one of them. */
  readonly sends?: 'update' | 'unassign';
}

/** A violation, as values. */
export interface ViolationFields {
  readonly difference: Difference;
  /** The exchanges that show it, the one to blame first. */
  readonly on: readonly ShownBy[];
  /** The exchanges that must come before, for those that show it to show it again. */
  readonly after?: readonly number[];
  /** The query of the export to blame: with other values it is another request. No report shows it. */
  readonly query?: string;
}

/** Which object a write holds. */
function sentBy({ request }: Answer['exchange']): Pick<ShownBy, 'sends'> {
  const sent = Object.keys(jsonObject(request.body) ?? {});
  const [object] = sent.filter((name) => name === 'update' || name === 'unassign');
  return sent.length === 1 && object !== undefined ? { sends: object } : {};
}

/** What a request does wrong where no other kind of difference fits, with the values that show it. */
export function other(
  wrong: Wrong,
  values: Omit<OtherDifference, 'kind' | 'wrong'> = {},
): OtherDifference {
  return { kind: 'other', wrong, ...values };
}

/** The target broke a clause. */
export class Violation extends Error implements ViolationFields {
  override readonly name = 'Violation';
  /** Where all that is tried alike shows the same, `judgeEach` says what that has in common. */
  difference: Difference;
  readonly on: readonly ShownBy[];
  readonly after?: readonly number[];
  readonly query?: string;

  /**
   * @param difference the name alone of an `other` difference that has no values
   * @param on the answers that show it, the one to blame first
   * @param after the answers to what must come before, for those to show it again
   */
  constructor(difference: Difference | Wrong, on: readonly Answer[], after?: readonly Answer[]) {
    const values = typeof difference === 'string' ? other(difference) : difference;
    // For whoever reads a stack; reports are made of the fields.
    super(JSON.stringify(values));
    this.difference = values;
    this.on = on.map(({ exchange, request }) => ({
      exchange: exchange.number,
      request,
      ...sentBy(exchange),
    }));
    const [blamed] = on;
    if (blamed?.exchange.operation === 'export') {
      this.query = new URL(blamed.exchange.request.url).search;
    }
    if (after !== undefined) this.after = after.map(({ exchange }) => exchange.number);
  }
}
