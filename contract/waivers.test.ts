import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UserError } from '../helpers/errors.ts';
import { exampleWaivers } from '../reports/example-results.fixture.ts';
import { parseWaivers, readWaivers } from './files.ts';

const [waiver] = exampleWaivers;
const file = 'waivers.json';

describe('waivers.json', () => {
  test('is read', () => {
    expect(parseWaivers(JSON.stringify(exampleWaivers), file)).toEqual(exampleWaivers);
    expect(parseWaivers('[]', file)).toEqual([]);
  });

  test.for([
    ['no JSON', 'nonsense', /^waivers\.json is not JSON: /],
    ['no list', '{}', /^waivers\.json does not hold valid waivers:\n {2}the whole: must be array$/],
    [
      'a field too few',
      [{ ...waiver, owner: undefined }],
      /^waivers\.json does not hold valid waivers:\n {2}entry 1: must have required property 'owner'$/,
    ],
    ['a field too many', [{ ...waiver, until: 1 }], /\n {2}entry 1: must not have "until"$/],
    [
      'an empty reason',
      [{ ...waiver, reason: ' ' }],
      /\n {2}entry 1, reason: must be text that is not empty$/,
    ],
    [
      'an issue without an address',
      [{ ...waiver, issue: 'WF-311' }],
      /\n {2}entry 1, issue: must be an http\(s\) address$/,
    ],
    [
      'a day that does not exist',
      [{ ...waiver, expires: '2026-02-30' }],
      /\n {2}entry 1, expires: must be a date like 2026-12-31$/,
    ],
    [
      'a clause twice',
      [waiver, waiver],
      /\n {2}entry 2: "update\.keeps-the-other-fields" has a waiver already\. Keep one\.$/,
    ],
  ] as const)('with %s is refused', ([, content, message]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => parseWaivers(text, file)).toThrow(message);
  });

  test('with an unknown clause names similar ids of the catalogue', () => {
    const text = JSON.stringify([{ ...waiver, clause: 'conflict.change-nothing' }]);
    expect(() => parseWaivers(text, file)).toThrow(
      /entry 1: no clause is called "conflict\.change-nothing"\. Did you mean conflict\.changes-nothing, /,
    );
  });

  test('all wrong entries are named at once', () => {
    const text = JSON.stringify([waiver, { ...waiver, clause: 'a' }, { ...waiver, clause: 'b' }]);
    expect(() => parseWaivers(text, file)).toThrow(/\n {2}entry 2: .*\n {2}entry 3: .*$/);
  });

  test('is looked for where none is named, and needed where one is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waivers-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const named = join(folder, 'known.json');
    const settings = { waiversFile: named };
    expect(await readWaivers({ ...settings, waiversFile: undefined })).toEqual([]);
    await expect(readWaivers(settings)).rejects.toThrow(
      /^WAIVERS_FILE: there is no file ".*known\.json"; give /,
    );
    await writeFile(named, '[]');
    expect(await readWaivers(settings)).toEqual([]);
    await writeFile(named, '{}');
    const reading = readWaivers(settings);
    await expect(reading).rejects.toThrow(UserError);
    await expect(reading).rejects.toThrow(
      /known\.json does not hold valid waivers:\n {2}the whole: must be array$/,
    );
  });
});
