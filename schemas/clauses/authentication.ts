import { section } from '../clause.ts';

export const authenticationClauses = section('Authentication', {
  'auth.valid-key-is-accepted': {
    level: 'stated',
    text: 'A request with a valid API key in the header `apikey` is not answered with 401.',
  },
  'auth.invalid-key-is-401': {
    level: 'stated',
    text: 'An invalid key is answered with 401, by every operation.',
  },
  'auth.empty-key-is-401': {
    level: 'implied',
    text: 'An empty apikey header is no valid key: 401, by every operation.',
  },
  'auth.refusal-changes-nothing': {
    level: 'implied',
    text: 'A write refused with 401 leaves the task as it was.',
  },
  'auth.is-checked-before-the-lookup': {
    level: 'implied',
    text: 'The key is checked first: an unknown id asked for without a valid key is 401, not 404.',
  },
  'auth.requests-go-to-the-own-region': {
    level: 'stated',
    text: 'Requests must go to the base address of the caller’s own region.',
    untestable: 'It binds the caller; what another region answers is a clause of its own.',
  },
  'auth.wrong-region-is-401': {
    level: 'implied',
    text: 'The regional address of another region answers the key with 401.',
  },
  'auth.blocked-address-is-401': {
    level: 'implied',
    text: 'With IP allow listing on, a request from an address that is not allowed is answered with 401.',
  },
  'auth.key-management': {
    level: 'open',
    text: 'How API keys are created and managed is not shown.',
    untestable: 'None of the four operations manages keys.',
  },
  'auth.permissions': {
    level: 'open',
    text: 'Permissions or scopes of a key are not shown.',
    untestable: 'One configured key shows nothing about what other keys may do.',
  },
});
