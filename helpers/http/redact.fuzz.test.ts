import fc from 'fast-check';
import '../fuzz-seed.fixture.ts';
import { expect, test } from 'vitest';
import { Redactor } from './redact.ts';

// Whatever the key is, and however a target gives it back. A failure prints the seed that repeats it.

/** Such as configuration takes them. */
const keys = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(String.fromCharCode),
  minLength: 8,
  maxLength: 48,
});
const surroundings = fc.string({ maxLength: 20 });

const writings: Readonly<Record<string, (key: string) => Buffer>> = {
  'as it is': (key) => Buffer.from(key),
  'in an address': (key) => Buffer.from(encodeURIComponent(key)),
  'in an address, in small letters': (key) =>
    Buffer.from(encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase())),
  'in JSON': (key) => Buffer.from(JSON.stringify(key).slice(1, -1)),
  'in JSON, with slashes escaped': (key) =>
    Buffer.from(JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')),
  'in HTML': (key) =>
    Buffer.from(
      key
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;'),
    ),
  'in Base64': (key) => Buffer.from(Buffer.from(key).toString('base64')),
  'in UTF-16': (key) => Buffer.from(key, 'utf16le'),
};

test.for(Object.entries(writings))('a key that is given back %s is in no record', ([, write]) => {
  fc.assert(
    fc.property(keys, surroundings, surroundings, (key, before, after) => {
      const redactor = new Redactor([key]);
      const written = write(key);
      const body = Buffer.concat([Buffer.from(`${before} `), written, Buffer.from(` ${after}`)]);
      const recorded = Buffer.from(redactor.bytes(body));
      // What surrounds it may hold it by accident, as the key of another length would.
      fc.pre(!before.includes(key) && !after.includes(key));
      expect(recorded.includes(written)).toBe(false);
    }),
  );
});

test('nor is what is left of it where a body is cut, or breaks off', () => {
  fc.assert(
    fc.property(keys, fc.nat(), surroundings, (key, place, before) => {
      const visible = 6 + (place % (key.length - 5));
      const body = Buffer.from(`${before} ${key.slice(0, visible)}`);
      const recorded = Buffer.from(new Redactor([key]).bytes(body)).toString();
      expect(recorded.endsWith(key.slice(0, visible))).toBe(false);
      expect(recorded.endsWith('[redacted]')).toBe(true);
    }),
  );
});

test('what holds no key is recorded byte by byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
      expect(new Redactor(['canary-key-of-the-tests']).bytes(body)).toEqual(body);
    }),
  );
});
