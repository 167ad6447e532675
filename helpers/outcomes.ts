import type { Answer } from './http/answer.ts';

/** What a judge throws, apart from a Violation, when it cannot decide. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** Thrown where the configuration gives nothing to judge with. The message names the variable that would. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}

/** The target broke a clause. Holds what a person needs to see it: expected, actual, and the exchanges. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly expected: string;
  readonly actual: string;
  /** Numbers of the exchanges that show it, in order. */
  readonly exchanges: readonly number[];

  /**
   * @param what what was done, as a phrase: "an assignment with an If-Match one version old"
   * @param on the answers that show it; the first one names the request in the message
   */
  constructor(
    what: string,
    { expected, actual, on }: { expected: string; actual: string; on: readonly Answer[] },
  ) {
    const place = on.map((answer) => `#${answer.exchange.number}`).join(', ');
    const request = on[0] === undefined ? '' : `${on[0].request}: `;
    super(`${request}${what}: expected ${expected}, got ${actual}${place && ` (${place})`}`);
    this.expected = expected;
    this.actual = actual;
    this.exchanges = on.map((answer) => answer.exchange.number);
  }
  /** The same violation with every text rewritten: for taking secrets out. */
  rewritten(rewrite: (text: string) => string): Violation {
    const { message, stack = '', expected, actual, exchanges } = this;
    const copy = new Violation('', {
      expected: rewrite(expected),
      actual: rewrite(actual),
      on: [],
    });
    return Object.assign(copy, { message: rewrite(message), stack: rewrite(stack), exchanges });
  }
}
