import { describe, expect, test } from 'vitest';
import { Redactor } from './redact.ts';

const key = 'Sek/ret+0123';

function redactor(...secrets: string[]): Redactor {
  const made = new Redactor();
  for (const secret of [key, ...secrets]) made.keepSecret(secret);
  return made;
}

describe('the key', () => {
  test('is not in a header, whatever the header is called', () => {
    const headers = [
      ['apikey', key],
      ['X-Echo', `got ${key}!`],
      ['Accept', 'application/json'],
    ] as const;
    expect(redactor().answeredHeaders(headers)).toEqual([
      ['apikey', '[redacted]'],
      ['X-Echo', 'got [redacted]!'],
      ['Accept', 'application/json'],
    ]);
  });

  test('is not in a body that echoes it, not in part either', () => {
    expect(redactor().text(`{"key":"${key}","again":"${key}${key}"}`)).toBe(
      '{"key":"[redacted]","again":"[redacted][redacted]"}',
    );
  });

  test('is not in a body as bytes, and bytes that are no text stay as they are', () => {
    const before = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), Buffer.from(key)]);
    const after = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('[redacted]')]);
    expect(Buffer.from(redactor().bytes(before))).toEqual(after);
  });

  test('is not in an address, encoded or not', () => {
    expect(redactor().url(`http://host/v5/tasks/${encodeURIComponent(key)}?x=1`)).toBe(
      'http://host/v5/tasks/[redacted]?x=1',
    );
  });
});

test('a key that was cut off is not there either, and nothing is taken for one that is too short', () => {
  const made = redactor();
  expect(made.excerpt(`["${key.slice(0, 9)}…`)).toBe('["[redacted]…');
  expect(made.excerpt(`it says ${key.slice(0, 6)}`)).toBe('it says [redacted]');
  expect(made.excerpt(`it says ${key.slice(0, 5)}`)).toBe(`it says ${key.slice(0, 5)}`);
});

test('of a key with a character more, that character does not stay', () => {
  expect(redactor(`${key}x`).text(`${key}x ${key}`)).toBe('[redacted] [redacted]');
});

test('of two keys that overlap neither stays in part', () => {
  expect(redactor(`a${key.slice(0, 6)}`).text(`a${key}, a${key.slice(0, 6)}`)).toBe(
    '[redacted], [redacted]',
  );
});

test('headers and parameters whose names look like secrets are not kept', () => {
  const made = redactor();
  const names = ['Authorization', 'Cookie', 'Set-Cookie', 'X-Api-Key', 'X-Auth-Token'];
  expect(made.answeredHeaders(names.map((name) => [name, 'value'] as const))).toEqual(
    names.map((name) => [name, '[redacted]']),
  );
  expect(made.url('https://user:pass@host/v5?a=1&access_token=abc&b=2&signature=x')).toBe(
    'https://host/v5?a=1&access_token=[redacted]&b=2&signature=[redacted]',
  );
});

test('an empty header stays empty: that it was is what the scenario is about', () => {
  expect(redactor().answeredHeaders([['apikey', '']])).toEqual([['apikey', '']]);
});

test('a text of three characters is no secret: it would garble whatever holds it', () => {
  expect(redactor('abc').text('abcdef')).toBe('abcdef');
});
