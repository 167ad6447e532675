import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

// The types of the oldest Node that is supported do not know it.
const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };

/**
 * The authorities that Node trusts (those of NODE_EXTRA_CA_CERTS too, and the system's where Node is told to use
 * them) and further ones: a list of authorities that a connection is given replaces those of Node.
 * @param further certificates in PEM form
 */
export function trustedCertificates(further: string): string[] {
  if (getCACertificates !== undefined) return [...getCACertificates('default'), further];
  const { NODE_EXTRA_CA_CERTS: path = '' } = process.env;
  return [...tls.rootCertificates, ...(path === '' ? [] : [contentOf(path)]), further];
}

/** Of a file that cannot be read Node warns, and goes on. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
