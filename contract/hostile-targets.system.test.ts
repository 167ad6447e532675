import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { json, runAgainst, taskWith } from './hostile-targets.fixture.ts';

// The whole command against targets that mean harm: what they say reaches neither a terminal nor a file as it came, and
// there is a verdict, soon.

describe('a clear verdict, and nothing of ours fails, against a target that answers', () => {
  const deep = 100_000;
  const hostile: Readonly<Record<string, RequestListener>> = {
    'with escape sequences': (_, response) =>
      json(response, taskWith('"name":"\\u001b[2J\\u001b]0;owned\\u0007\\u202e"')),
    'with a prototype': (_, response) =>
      json(response, taskWith('"__proto__":{"status":"INCOMPLETE","polluted":true}')),
    'with lists in lists': (_, response) => json(response, '['.repeat(deep) + ']'.repeat(deep)),
    'with objects in objects': (_, response) =>
      json(response, taskWith(`"name":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)),
    'with numbers beyond 2^53': (_, response) =>
      json(response, taskWith('"data_version":9007199254740993,"name":1e400')),
    'with bytes that are no text': (_, response) =>
      json(response, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    'with a bomb': (_, response) => json(response, bomb, { 'Content-Encoding': 'gzip' }),
  };
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  test.for(Object.entries(hostile))('%s', async ([, listener]) => {
    const { code, stdout, stderr, results } = await runAgainst(listener, {
      MAX_EXPORT_BYTES: '1000000',
    });
    expect([1, 2, 3]).toContain(code);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the very ones that must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stderr).not.toContain('The suite itself failed');
    const { clauses } = await results();
    expect(clauses.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });
});
