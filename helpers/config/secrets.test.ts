import { expect, test } from 'vitest';
import { secretsIn, secretsOf } from './secrets.ts';

const none = {
  mailbox: undefined,
  httpsProxy: undefined,
  httpProxy: undefined,
  blockedProxyUrl: undefined,
};

test('the key, and what opens the mailbox', () => {
  const variables = { API_KEY: 'key', MAILBOX_TOKEN: 'token', MAILBOX_PASSWORD: 'long-enough' };
  expect(secretsIn(variables)).toEqual(['key', 'token', 'long-enough']);
  expect(secretsOf({ ...none, apiKey: 'key' })).toEqual(['key']);
});

test('the password of a proxy, in each form in which it may come back', () => {
  const httpsProxy = 'http://ann:canary%2Bword@proxy.example:3128';
  const forms = ['canary%2Bword', 'canary+word', 'YW5uOmNhbmFyeSt3b3Jk'];
  expect(secretsOf({ ...none, apiKey: 'key', httpsProxy })).toEqual(['key', ...forms]);
  expect(secretsIn({ HTTPS_PROXY: httpsProxy })).toEqual(forms);
});

test('a password that may be a word is not looked for everywhere', () => {
  expect(secretsIn({ MAILBOX_PASSWORD: 'admin', HTTP_PROXY: 'http://a:b@proxy.example' })).toEqual(
    [],
  );
});

test('what is no address has no password', () => {
  expect(secretsIn({ HTTPS_PROXY: 'proxy', BLOCKED_PROXY_URL: '' })).toEqual([]);
});
