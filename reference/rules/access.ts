import type { Operation } from '../../schemas/operations.ts';

/** Who is let in (Authentication). */
export interface AccessRules {
  /** The document does not say what a key looks like: the key of the service, given forty letters and digits. */
  apiKey(characters: string): string;
  /** Every operation requires the header `apikey`: the key that a request presents. */
  presentedKey(headers: Readonly<Record<string, string>>): string | undefined;
  /** The key is valid when it is the service's, to the letter. */
  keyIsValid(presented: string | undefined, key: string, operation: Operation): boolean;
  /** Requests go to the base address of the caller's own region. */
  regionIsServed(region: 'own' | 'other', operation: Operation): boolean;
  /** With allow listing on, requests come from an allowed address. */
  addressIsAllowed(address: string, allowed: readonly string[], operation: Operation): boolean;
  /**
   * The key is checked before the record is looked up, and before what is asked for is looked at: without a valid key, an
   * unknown id is 401 and not 404, and a stale version 401 and not 409.
   */
  keyIsCheckedFirst(operation: Operation, before: 'lookup' | 'request'): boolean;
}

export const accessRules: AccessRules = {
  apiKey: (characters) => characters,
  presentedKey: (headers) => headers.apikey,
  keyIsValid: (presented, key) => presented === key,
  regionIsServed: (region) => region === 'own',
  addressIsAllowed: (address, allowed) => allowed.includes(address),
  keyIsCheckedFirst: () => true,
};
