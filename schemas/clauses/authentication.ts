import { implied, open, section, stated } from '../clause.ts';

export const authenticationClauses = section('Authentication', {
  'auth.valid-key-is-accepted':
    'A request with a valid API key in the header `apikey` is not answered with 401.',
  'auth.invalid-key-is-401': 'Every operation answers an invalid key with 401.',
  'auth.empty-key-is-401': implied(
    'An empty apikey header is not a valid key: every operation answers it with 401.',
  ),
  // Every operation requires the header: a key in the query, or among other text in the header, is no such header.
  'auth.key-elsewhere-is-401': implied(
    'A valid key in the query, in a cookie, as a bearer token or in another header is not in the header apikey: 401.',
  ),
  'auth.key-among-other-text-is-401': implied(
    'A header apikey that holds a part of the valid key, or more than the key, holds no valid key: 401.',
  ),
  'auth.is-checked-before-the-request': implied(
    'The key is checked first: a write or an export that would be refused for itself is answered with 401 without a valid key.',
  ),
  'auth.refusal-changes-nothing': implied('A write refused with 401 leaves the task unchanged.'),
  'auth.is-checked-before-the-lookup': implied(
    'The key is checked first: a request for an unknown id without a valid key is answered with 401, not 404.',
  ),
  'auth.requests-go-to-the-own-region': stated(
    'Requests must go to the base address of the caller’s own region.',
    'It is a requirement on the caller; how another region answers is a clause of its own.',
  ),
  // Authentication says "can cause 401" and "401 can result"; the table of errors has both under 401 without a "can".
  'auth.wrong-region-is-401': implied(
    'The regional address of another region answers the key with 401.',
  ),
  'auth.blocked-address-is-401': implied(
    'With IP allow listing enabled, a request from an address that is not allowed is answered with 401.',
  ),
  'auth.claimed-address-is-not-trusted': implied(
    'An allowed address that a request only claims to come from (X-Forwarded-For, Forwarded, X-Real-IP) does not let it in: 401.',
  ),
  'auth.key-case': open(
    'say what a key looks like, nor whether one that is a UUID may be written in another case',
  ),
  'auth.key-management': open(
    'say how API keys are created and managed',
    'None of the four operations manages keys.',
  ),
  'auth.permissions': open(
    'say which permissions or scopes a key has',
    'One configured key shows nothing about what other keys may do.',
  ),
});
