import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../helpers/config/read-settings.ts';
import { exampleWaivers } from '../reports/example-results.fixture.ts';
import { parseWaivers, readWaivers } from './waivers-file.ts';

const known = exampleWaivers.map(({ clause }) => clause);
const [waiver] = exampleWaivers;
const file = 'waivers.json';

describe('waivers.json', () => {
  test('is read', () => {
    expect(parseWaivers(JSON.stringify(exampleWaivers), file, known)).toEqual(exampleWaivers);
    expect(parseWaivers('[]', file)).toEqual([]);
  });

  test.for([
    ['no JSON', 'nonsense', /^waivers\.json is not JSON: /],
    ['no list', '{}', /^waivers\.json: must be array$/],
    [
      'a field too few',
      [{ ...waiver, owner: undefined }],
      /^waivers\.json, entry 1: must have required property 'owner'$/,
    ],
    [
      'a field too many',
      [{ ...waiver, until: 1 }],
      /^waivers\.json, entry 1: "until" is not a field of a waiver$/,
    ],
    [
      'an empty reason',
      [{ ...waiver, reason: ' ' }],
      /^waivers\.json, entry 1, reason: must not be empty$/,
    ],
    [
      'an issue without an address',
      [{ ...waiver, issue: 'WF-311' }],
      /^waivers\.json, entry 1, issue: must be an http\(s\) address$/,
    ],
    [
      'a day that does not exist',
      [{ ...waiver, expires: '2026-02-30' }],
      /^waivers\.json, entry 1, expires: must be a date like 2026-12-31$/,
    ],
    [
      'a clause twice',
      [waiver, waiver],
      /^waivers\.json, entry 2: "update\.keeps-the-other-fields" has a waiver already\. Keep one\.$/,
    ],
  ] as const)('with %s is refused', ([, content, message]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => parseWaivers(text, file, known)).toThrow(message);
  });

  test('with an unknown clause names the nearest ids of the catalogue', () => {
    const text = JSON.stringify([{ ...waiver, clause: 'conflict.change-nothing' }]);
    expect(() => parseWaivers(text, file)).toThrow(
      /entry 1: no clause is called "conflict\.change-nothing"\. Nearest: conflict\.changes-nothing, /,
    );
  });

  test('tells of every wrong entry at once', () => {
    const text = JSON.stringify([waiver, { ...waiver, clause: 'a' }, { ...waiver, clause: 'b' }]);
    expect(() => parseWaivers(text, file, known)).toThrow(/^.*entry 2: .*\n.*entry 3: .*$/);
  });

  test('is looked for where none is named, and needed where one is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waivers-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const named = join(folder, 'known.json');
    expect(await readWaivers(undefined)).toEqual([]);
    const reading = readWaivers(named);
    await expect(reading).rejects.toThrow(ConfigurationError);
    await expect(reading).rejects.toThrow(/^WAIVERS_FILE: ENOENT: .*known\.json/);
    await writeFile(named, '[]');
    expect(await readWaivers(named)).toEqual([]);
    await writeFile(named, '{}');
    await expect(readWaivers(named)).rejects.toThrow(/known\.json: must be array$/);
  });
});
