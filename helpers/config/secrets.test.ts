import { expect, test } from 'vitest';
import { secretsIn } from './secrets.ts';

test('the key, and what opens the mailbox', () => {
  const variables = { API_KEY: 'key', MAILBOX_TOKEN: 'token', MAILBOX_PASSWORD: 'long-enough' };
  expect(secretsIn(variables)).toEqual(['key', 'token', 'long-enough']);
});

test.each(['HTTPS_PROXY', 'HTTP_PROXY', 'BLOCKED_PROXY_URL', 'MAILBOX_URL'])(
  'the password in %s, in each form in which it may come back',
  (name) => {
    const forms = ['canary%2Bword', 'canary+word', 'YW5uOmNhbmFyeSt3b3Jk'];
    expect(secretsIn({ [name]: 'http://ann:canary%2Bword@proxy.example:3128' })).toEqual(forms);
  },
);

test('a password that may be a word is not looked for everywhere', () => {
  expect(secretsIn({ MAILBOX_PASSWORD: 'admin', HTTP_PROXY: 'http://a:b@proxy.example' })).toEqual(
    [],
  );
});

test('what is no address has no password', () => {
  expect(secretsIn({ HTTPS_PROXY: 'proxy', BLOCKED_PROXY_URL: '' })).toEqual([]);
});
