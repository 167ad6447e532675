import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Whether certificates can be made here. */
export const hasOpenSsl = spawnSync('openssl', ['version']).status === 0;

export interface SelfSigned {
  readonly key: string;
  readonly certificate: string;
  /** Where both stand, for the time of the test. */
  readonly keyFile: string;
  readonly certificateFile: string;
}

/** A certificate for 127.0.0.1 that is its own authority, for the time of a test; in PEM form. */
export function selfSigned(): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const options = '-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1'.split(' ');
  const files = ['-keyout', keyFile, '-out', certificateFile];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  spawnSync('openssl', ['req', ...options, ...files, ...names]);
  return {
    key: readFileSync(keyFile, 'utf8'),
    certificate: readFileSync(certificateFile, 'utf8'),
    keyFile,
    certificateFile,
  };
}
