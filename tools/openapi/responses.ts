import { type ClauseId, clauseOf } from '../../schemas/clauses.ts';

/** A refusal, with what the document says of it. The shape of its body is not shown, so none is described. */
export function refusal(...ids: readonly ClauseId[]): { description: string } {
  return { description: ids.map((id) => clauseOf(id).text).join(' ') };
}

export const unauthorized = refusal('auth.invalid-key-is-401', 'auth.blocked-address-is-401');

/**
 * A success of one of the JSON operations. The document does not show which status it has: any 2xx is as good, but
 * few makers of mocks understand `2XX`.
 */
export function success(schema: string, example: object) {
  return {
    200: {
      description: 'The full object. That the status is 200, and no other 2xx, is not shown.',
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schema}` },
          example,
        },
      },
    },
  };
}
