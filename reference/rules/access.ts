import type { Operation } from '../../schemas/operations.ts';

/** Who is let in (Authentication). */
export const accessRules = {
  /** The document does not say what a key looks like: the key of the service, given forty letters and digits. */
  apiKey: (characters: string): string => characters,
  /** Every operation requires the header `apikey`: the key that a request presents. */
  presentedKey: (headers: Readonly<Record<string, string>>): string | undefined => headers.apikey,
  /** The key is valid when it is the service's, to the letter. */
  keyIsValid: (presented: string | undefined, key: string, _operation: Operation): boolean =>
    presented === key,
  /** Requests go to the base address of the caller's own region. */
  regionIsServed: (region: 'own' | 'other', _operation: Operation): boolean => region === 'own',
  /** With allow listing on, requests come from an allowed address. */
  addressIsAllowed: (address: string, allowed: readonly string[], _operation: Operation): boolean =>
    allowed.includes(address),
  /**
   * The key is checked before the record is looked up, and before what is asked for is looked at: without a valid key, an
   * unknown id is 401 and not 404, and a stale version 401 and not 409.
   */
  keyIsCheckedFirst: (_operation: Operation, _before: 'lookup' | 'request'): boolean => true,
};
