import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { describe, expect, it, vi } from 'vitest';
import { PdfUnreadable, readPdf } from './read-pdf.ts';

/** The processes that were started. */
const started: ChildProcess[] = [];
subscribe('child_process', (message) => {
  // The channel tells nothing else.
  started.push((message as { readonly process: ChildProcess }).process);
});

async function onePage(options = {}): Promise<Buffer> {
  const document = new PDFDocument({ size: [200, 100], margin: 0, ...options });
  document.fontSize(10).text('first', 20, 30, { lineBreak: false });
  document.text('second', 120, 30, { lineBreak: false });
  document.addPage().text('third', 20, 30);
  document.end();
  return Buffer.concat(await document.toArray());
}

/** A PDF of one page whose content is given as it stands in the file. */
function fileWithContent(content: Uint8Array, filter = '', fonts = ''): Buffer {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.4\n')];
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Font << ${fonts} >> >> >>`,
    `<< /Length ${content.length} ${filter} >>\nstream\n`,
  ];
  for (const [index, object] of objects.entries()) {
    const stream = index === 3 ? [content, Buffer.from('\nendstream')] : [];
    parts.push(Buffer.from(`${index + 1} 0 obj\n${object}`), ...stream, Buffer.from('\nendobj\n'));
  }
  parts.push(Buffer.from('trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n0\n%%EOF'));
  return Buffer.concat(parts);
}

/** Inflates to a gigabyte, twice packed so that it is 2 KB long. */
function bomb(): Buffer {
  const block = Buffer.alloc(2 ** 24, 32);
  // A gigabyte in one piece would take the memory that the test is about.
  const packed = deflateSync(Buffer.concat(Array(16).fill(block)), { level: 9 });
  return fileWithContent(deflateSync(packed), '/Filter [/FlateDecode /FlateDecode]');
}

describe('a PDF is read', () => {
  it('page by page, text with its places', async () => {
    const { pages } = await readPdf(await onePage());
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [200, 100],
      [200, 100],
    ]);
    const texts = pages.map((page) => page.texts.map(({ text, x }) => [text, x]));
    expect(texts).toEqual([
      [
        ['first', 20],
        ['second', 120],
      ],
      [['third', 20]],
    ]);
    expect(pages[0]?.texts[0]?.y).toBeCloseTo(37.2, 0);
  });

  it('several at a time and one after the other', async () => {
    const file = await onePage();
    const together = await Promise.all([readPdf(file), readPdf(file)]);
    const [first] = together;
    expect(together).toEqual([first, first]);
    expect(await readPdf(file)).toEqual(first);
  });

  it('in fonts for Chinese, Japanese and Korean that the file names and does not hold', async () => {
    const named = {
      Japan1: ['HeiseiMin-W3', 'UniJIS-UCS2-H'],
      GB1: ['STSong-Light', 'UniGB-UTF16-H'],
      CNS1: ['MSung-Light', 'UniCNS-UTF16-H'],
      Korea1: ['HYSMyeongJo-Medium', 'UniKS-UCS2-H'],
    };
    const fonts = Object.entries(named).map(([ordering, [name, letters]]) => {
      const system = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 1 >>`;
      const descriptor = `/FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 4 >>`;
      const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} ${system} ${descriptor} >>`;
      return `/${ordering} << /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${letters} /DescendantFonts [${descendant}] >>`;
    });
    const lines = Object.keys(named).map(
      (font, line) => `/${font} 10 Tf 1 0 0 1 10 ${80 - 20 * line} Tm <5BE967E50020> Tj`,
    );
    const file = fileWithContent(Buffer.from(`BT ${lines.join(' ')} ET`), '', fonts.join(' '));
    const [page] = (await readPdf(file)).pages;
    expect(page?.texts.map(({ text }) => text.trim())).toEqual(['審查', '審查', '審查', '審查']);
  });

  it('with its signature anywhere in the first kilobyte', async () => {
    const file = await onePage();
    const behind = (length: number) => readPdf(Buffer.concat([Buffer.alloc(length, '\n'), file]));
    expect((await behind(1019)).pages).toHaveLength(2);
    await expect(behind(1020)).rejects.toMatchObject({ flaw: 'not a PDF' });
  });

  it('with a broken cross-reference, which readers repair', async () => {
    const file = await onePage();
    const broken = Buffer.from(
      file.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'),
      'latin1',
    );
    expect((await readPdf(broken)).pages).toHaveLength(2);
  });

  it('with an owner’s password, which readers need not enter', async () => {
    const file = await onePage({ ownerPassword: 'theirs' });
    expect((await readPdf(file)).pages).toHaveLength(2);
  });
});

describe('a file that cannot be read says why', () => {
  it('HTML with a PDF’s name', async () => {
    await expect(readPdf(Buffer.from('<!doctype html><title>Sign in'))).rejects.toMatchObject({
      flaw: 'not a PDF',
      message: 'The file is not a PDF: it begins with "<!doctype html><title>Sign in".',
    });
    const error = await readPdf(Buffer.from('x'.repeat(50))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PdfUnreadable);
    expect(error).toMatchObject({
      name: 'PdfUnreadable',
      message: `The file is not a PDF: it begins with "${'x'.repeat(40)}".`,
    });
    await expect(readPdf(new Uint8Array())).rejects.toMatchObject({ flaw: 'not a PDF' });
  });

  it('cut short', async () => {
    const file = await onePage();
    const half = file.subarray(0, file.length / 2);
    await expect(readPdf(half)).rejects.toMatchObject({
      flaw: 'broken',
      message: expect.stringMatching(/^The PDF does not open: \w/),
    });
    await expect(readPdf(Buffer.from('%PDF-1.7\n'))).rejects.toMatchObject({ flaw: 'broken' });
  });

  it('encrypted', async () => {
    const file = await onePage({ userPassword: 'secret' });
    await expect(readPdf(file)).rejects.toMatchObject({
      flaw: 'encrypted',
      message: 'The PDF is encrypted and needs a password.',
    });
  });

  it('a decompression bomb, which takes no more memory than allowed', async () => {
    const reading = readPdf(bomb(), { memoryMb: 200 });
    await expect(reading).rejects.toMatchObject({
      flaw: 'too big',
      message: 'Reading the PDF took more than 200 MiB of memory.',
    });
  });

  it('slow to read, while the event loop goes on', async () => {
    const slow = deflateSync(Buffer.from('q 1 0 0 1 0 0 cm Q\n'.repeat(2_000_000)));
    const memoryMb = 406;
    const reading = readPdf(fileWithContent(slow, '/Filter /FlateDecode'), { memoryMb });
    const outcome = reading.then(
      () => 'read',
      (error: PdfUnreadable) => error.flaw,
    );
    const turns = async (): Promise<string> => {
      for (let turn = 0; turn < 5; turn += 1) await setTimeout(1);
      return 'the event loop turned';
    };
    expect(await Promise.race([outcome, turns()])).toBe('the event loop turned');
    started.at(-1)?.kill('SIGKILL');
    expect(await outcome).toBe('too big');
  });
});

describe('the processes that read', () => {
  it('are kept for the next file, and are not used once they have ended', async () => {
    const file = await onePage();
    const own = { memoryMb: 403 };
    const before = started.length;
    await readPdf(file, own);
    await readPdf(file, own);
    expect(started.length - before).toBe(1);
    const reader = started.at(-1);
    expect(reader?.spawnargs).toContain('--max-old-space-size=403');
    reader?.kill('SIGKILL');
    await new Promise((ended) => reader?.once('exit', ended));
    await readPdf(file, own);
    expect(started.length - before).toBe(2);
  });

  it.runIf(process.platform === 'linux')('get nothing of the configuration', async () => {
    // Windows needs it.
    vi.stubEnv('SystemRoot', 'C:');
    await readPdf(await onePage(), { memoryMb: 404 });
    vi.unstubAllEnvs();
    const environment = await readFile(`/proc/${started.at(-1)?.pid}/environ`, 'latin1');
    const names = environment.split('\0').map((entry) => entry.split('=')[0]);
    expect(names).toContain('SystemRoot');
    expect(names).not.toContain('PATH');
  });
});
