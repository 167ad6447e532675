import { describe, expect, it } from 'vitest';
import { FileDecoder } from './file-decoder.ts';

const kib = 1024;
/** So long is the first piece, and so long are the others. */
const [first, other] = [256 * kib, 64 * kib];

async function decoded(source: AsyncIterable<Uint8Array> | Uint8Array) {
  const decoder = new FileDecoder();
  const pieces: string[] = [];
  for await (const piece of decoder.textOf(source)) pieces.push(piece);
  const { bom, bytes, encoding, lastCharacter, problems } = decoder;
  return { pieces, text: pieces.join(''), bom, bytes, encoding, lastCharacter, problems };
}

/** As a download comes: in chunks, which know nothing of characters. */
async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const utf8 = (text: string) => Buffer.from(text);
const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const a = (count: number) => 'a'.repeat(count);

describe('text comes in pieces', () => {
  it('of which the first is larger', async () => {
    const lengths = async (bytes: Uint8Array) =>
      (await decoded(bytes)).pieces.map(({ length }) => length);
    expect(await lengths(utf8(a(first + other + 10)))).toEqual([first, other, 10]);
    expect(await lengths(utf8(a(first + other)))).toEqual([first, other]);
    expect(await lengths(utf8(a(first)))).toEqual([first]);
    expect(await lengths(utf8('a'))).toEqual([1]);
  });

  it('into which small chunks are joined, and that hold no more than they must', async () => {
    const lengths = async (bytes: Uint8Array, size: number) =>
      (await decoded(chunks(bytes, size))).pieces.map(({ length }) => length);
    const long = utf8(a(first + other + 10));
    expect(await lengths(long, 16 * kib)).toEqual([first, other, 10]);
    expect(await lengths(long, first)).toEqual([first, other + 10]);
    expect(await lengths(long.subarray(0, first), 1000)).toEqual([first]);
  });

  it('of which there is none in an empty file', async () => {
    const empty = {
      ...{ pieces: [], text: '', bom: false, bytes: 0, encoding: 'utf-8' },
      ...{ lastCharacter: '', problems: [] },
    };
    expect(await decoded(new Uint8Array())).toEqual(empty);
    expect(await decoded(chunks(new Uint8Array(), 1))).toEqual(empty);
    expect(await decoded(utf8('\ufeff'))).toMatchObject({ text: '', bom: true, bytes: 3 });
  });

  it.for([1, 2, 3, 4])('which may end after byte %i of a character', async (cut) => {
    for (const character of ['é', '日', '😀']) {
      const text = `${a(first - cut)}${character}é,${a(other)}日\n`;
      const file = utf8(text);
      const expected = { text, encoding: 'utf-8', problems: [], lastCharacter: '\n' };
      expect(await decoded(file)).toMatchObject({ ...expected, bytes: file.length });
      expect(await decoded(chunks(file, 1009))).toMatchObject(expected);
    }
  });

  it('in UTF-16 too, with and without a byte order mark', async () => {
    const text = `Id,日本\n${'1,a\n'.repeat(first)}`;
    expect(await decoded(utf16(text))).toMatchObject({ text, encoding: 'utf-16le', bom: false });
    expect(await decoded(utf16(`\ufeff${text}`))).toMatchObject({
      text,
      encoding: 'utf-16le',
      bom: true,
      problems: [],
    });
    const bigEndian = utf16(`\ufeff${text}`).swap16();
    expect(await decoded(chunks(bigEndian, 1009))).toMatchObject({
      text,
      encoding: 'utf-16be',
      bom: true,
      problems: [],
    });
  });
});

describe('a byte order mark is one as a whole', () => {
  it.for(['ÿþ', 'þÿ', 'ï»¿'])('%s', async (mark) => {
    const whole = await decoded(latin(`${mark}a\0`));
    expect(whole.bom).toBe(true);
    for (const [at] of [...mark].entries()) {
      const text = `${mark.slice(0, at)}a${mark.slice(at + 1)}bc`;
      const broken = { text, bom: false, encoding: 'windows-1252', problems: [] };
      expect(await decoded(latin(text))).toMatchObject(broken);
    }
  });
});

describe('UTF-16 is recognized', () => {
  const russian = `1,2,3,"${'и так далее – '.repeat(40)}"`;
  it.for(['a,b', `日本,${a(20)}`, `Lucija Ā,${a(20)}`, `${'1,b\n'.repeat(100)}日本`, russian])(
    'in %j',
    async (text) => {
      expect(await decoded(utf16(text))).toMatchObject({ text, encoding: 'utf-16le' });
      expect(await decoded(utf16(text).swap16())).toMatchObject({ text, encoding: 'utf-16be' });
    },
  );

  it.for(['a\0', 'a\0b\0', 'a\0b\0c\0defghi', '\0a\0b\0cdefghi', '\0\0\0\0a'])(
    'not in %j, which holds NUL characters',
    async (text) => {
      const expected = { text, encoding: 'utf-8', problems: ['The file holds NUL characters.'] };
      expect(await decoded(utf8(text))).toMatchObject(expected);
    },
  );

  it('not by what stands after the beginning', async () => {
    const text = `${a(512)}${'b\0'.repeat(600)}`;
    expect(await decoded(utf8(text))).toMatchObject({ text, encoding: 'utf-8' });
  });

  it('with characters that are broken', async () => {
    const file = Buffer.concat([utf16('\ufeffa,b\n'), Buffer.of(0x00, 0xd8), utf16('c,d\n')]);
    expect(await decoded(file)).toMatchObject({
      text: 'a,b\n\ufffdc,d\n',
      problems: ['There are bytes that are not UTF-16LE after byte 0.'],
    });
  });
});

describe('windows-1252 is recognized', () => {
  it('by a character far down', async () => {
    const text = `${a(first)}Zürich${a(other)}é`;
    expect(await decoded(latin(text))).toMatchObject({ text, encoding: 'windows-1252' });
  });

  it('in characters that Latin-1 has not', async () => {
    const file = Buffer.of(0x80, 0x61, 0x93, 0x62, 0x94);
    expect(await decoded(file)).toMatchObject({ text: '€a“b”', problems: [] });
  });

  it.for(['é', 'Ã', 'ð'])('by %s between two pieces and at the very end', async (letters) => {
    const text = `${a(first - letters.length)}${letters}${a(other)}${letters}`;
    expect(await decoded(latin(text))).toMatchObject({ text, encoding: 'windows-1252' });
    const last = `${a(first)}${letters}`;
    expect(await decoded(latin(last))).toMatchObject({ text: last, encoding: 'windows-1252' });
    expect(await decoded(latin(letters))).toMatchObject({
      text: letters,
      lastCharacter: letters.at(-1),
    });
  });
});

describe('bytes that are damaged are a problem', () => {
  const damaged = (at: number) => [`There are bytes that are not UTF-8 after byte ${at}.`];

  it('and do not change the encoding of a file with other characters', async () => {
    const before = `é${a(first - 2)}`;
    const file = Buffer.concat([utf8(before), latin('é'), utf8(`,日${a(other)}日`)]);
    const text = `${before}\ufffd,日${a(other)}日`;
    const expected = { text, encoding: 'utf-8', problems: damaged(first) };
    expect(await decoded(file)).toMatchObject(expected);
    expect(await decoded(chunks(file, 1009))).toMatchObject({ text, encoding: 'utf-8' });
  });

  it('also where as many are whole', async () => {
    const file = Buffer.concat([utf8('é,'), latin('é,')]);
    expect(await decoded(file)).toMatchObject({ text: 'é,\ufffd,', problems: damaged(0) });
  });

  it('and take nothing of the characters around them', async () => {
    for (const cut of [1, 2, 3]) {
      const before = `é${a(first - 2 - cut)}`;
      const file = Buffer.concat([utf8(`${before}日`), latin('é'), utf8('日\n')]);
      const text = `${before}日\ufffd日\n`;
      expect(await decoded(file)).toMatchObject({ text, encoding: 'utf-8' });
    }
  });

  it('where the file ends within a character', async () => {
    const file = utf8(`é${a(first)}日`);
    const cut = await decoded(file.subarray(0, -1));
    expect(cut).toMatchObject({ text: `é${a(first)}\ufffd`, lastCharacter: '\ufffd' });
    expect(cut.problems).toEqual(damaged(file.length - 1));
  });

  it('that is told once', async () => {
    const file = Buffer.concat([utf8('éé'), latin('é,'), utf8(a(first)), latin('é,')]);
    expect((await decoded(chunks(file, 1009))).problems).toEqual(damaged(0));
    const nuls = Buffer.concat([utf8(a(600)), Buffer.alloc(first + other)]);
    expect((await decoded(nuls)).problems).toEqual(['The file holds NUL characters.']);
  });
});

describe('of a damaged file', () => {
  it('what stood before the damage is read once', async () => {
    for (const character of ['b', 'é', '日', '😀', 'ࠀ', '𐀀']) {
      const bytes = utf8(character);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const start = Buffer.concat([utf8(`日${a(first - cut - 3)}`), bytes.subarray(0, cut)]);
        const rest = Buffer.concat([bytes.subarray(cut), utf8('c'), Buffer.of(0xff), utf8('d')]);
        const { text, encoding } = await decoded(Buffer.concat([start, rest]));
        expect(encoding).toBe('utf-8');
        expect(text.slice(first - cut - 2)).toBe(`${character}c\ufffdd`);
      }
    }
  });

  it('in UTF-16 too', async () => {
    const text = `\ufeff${a(first / 2 - 2)}\uc0c1${a(10)}\ud800b`;
    const { text: read, encoding } = await decoded(utf16(text));
    expect(encoding).toBe('utf-16le');
    expect(read.slice(first / 2 - 2)).toBe(`\uc0c1${a(10)}\ufffdb`);
  });

  it('NULs alone are no UTF-16', async () => {
    const problems = ['The file holds NUL characters.'];
    expect(await decoded(new Uint8Array(100))).toMatchObject({ encoding: 'utf-8', problems });
  });
});
