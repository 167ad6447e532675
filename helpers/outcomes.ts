import type { Variable } from '../schemas/configuration.ts';
import type { Difference, OtherDifference, Wrong } from '../schemas/difference.ts';
import type { Answer } from './http/answer.ts';
import { jsonObject } from './json.ts';

/** An answer, or the error that came in place of one. */
interface OfExchange {
  readonly exchange: { readonly number: number };
}

/** Thrown where the evidence does not decide: neither a violation nor a pass. */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive';
  /** The numbers of the exchanges that show why it does not decide. */
  readonly exchanges: readonly number[];

  /** @param on the answers that show why; the message does not name their numbers */
  constructor(why: string, on: readonly OfExchange[] = []) {
    super(why);
    this.exchanges = on.map(({ exchange }) => exchange.number);
  }
}

/** Thrown where somebody else has changed what is judged, as a leased task. */
export class Disturbance extends Inconclusive {
  override readonly name = 'Disturbance';
}

/** Thrown where a difference may stand on exported events that have changed: nobody has looked into it. */
export class ChangedMeanwhile extends Inconclusive {
  override readonly name = 'ChangedMeanwhile';
}

/** Thrown where what the target holds gives nothing to judge with. */
export class NotJudged extends Error {
  override readonly name: string = 'NotJudged';
}

/** Thrown where no answer shows what the clause is about, though nothing is missing to see it. */
export class NothingSeen extends NotJudged {
  override readonly name = 'NothingSeen';

  constructor() {
    super('Nothing came up to judge it by.');
  }
}

/** Thrown where the answers could have shown that the clause is broken, and can never show that it is kept. */
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

/** Thrown where all that could be looked at upholds the clause, and configuration is missing to judge the rest. */
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

/** A request that was judged beside others. */
export interface Case {
  /** What distinguishes it from others of its kind, each as a phrase. */
  readonly facts: readonly string[];
  /** Method and path, without ids. */
  readonly request: string;
  readonly is: 'wrong' | 'right' | 'not judged';
}

/** A violation, as values. */
export type ViolationFields = Readonly<
  Pick<Violation, 'difference' | 'on' | 'after' | 'query' | 'cases' | 'common'>
>;

/** Which object the body of a write holds; empty where it holds both, neither, or anything else besides. */
function sendsOf({ request }: Answer['exchange']): Pick<ShownBy, 'sends'> {
  const sent = Object.keys(jsonObject(request.body) ?? {});
  const [object] = sent.filter((name) => name === 'update' || name === 'unassign');
  return sent.length === 1 && object !== undefined ? { sends: object } : {};
}

/** A difference of kind `other`: what is wrong where no other kind fits, with the values that show it. */
export function other(
  wrong: Wrong,
  values: Omit<OtherDifference, 'kind' | 'wrong'> = {},
): OtherDifference {
  return { kind: 'other', wrong, ...values };
}

/** The target broke a clause. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly difference: Difference;
  /**
   * The exchanges that show it, the one to blame first. Replaced by `judgeEach` where writes of both kinds show the
   * same: then it does not say which of them one is.
   */
  on: readonly ShownBy[];
  /** Exchanges that must be sent before those of `on` for the violation to show again. */
  readonly after?: readonly number[];
  /** The query of the export to blame, by which its requests are told apart. No report shows it. */
  readonly query?: string;
  /** All that was judged beside it, it too. */
  readonly cases?: readonly Case[];
  /** What they all are, as a noun. */
  readonly common?: string;

  /**
   * @param difference a difference; of kind `other` without values, its name alone
   * @param on the answers that show it, the one to blame first
   * @param after the answers to requests that must come before for the violation to show again
   */
  constructor(difference: Difference | Wrong, on: readonly Answer[], after?: readonly Answer[]) {
    const values = typeof difference === 'string' ? other(difference) : difference;
    // The message is for whoever reads a stack; reports are made of the fields.
    super(JSON.stringify(values));
    this.difference = values;
    this.on = on.map(({ exchange, request }) => ({
      exchange: exchange.number,
      request,
      ...sendsOf(exchange),
    }));
    const [blamed] = on;
    if (blamed?.exchange.operation === 'export') {
      this.query = new URL(blamed.exchange.request.url).search;
    }
    if (after !== undefined) this.after = after.map(({ exchange }) => exchange.number);
  }
}
