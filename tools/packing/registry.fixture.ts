import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Locked {
  readonly version: string;
  readonly dev?: true;
}

export interface Registry {
  readonly url: string;
  close(): void;
}

/**
 * Starts a package registry that has the packages of the checkout, each in the version of the lock file: npm installs
 * from it as from any other, and nothing is downloaded.
 */
export async function startRegistry(): Promise<Registry> {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const { '': _, ...packages }: Record<string, Locked> = lock.packages;
  const server = createServer(({ url = '', headers: { host } }, response) => {
    const path = decodeURIComponent(url.slice(1));
    if (path in packages) {
      const folder = join(repository, path);
      const args = ['-c', '--exclude=node_modules', '-C', dirname(folder), basename(folder)];
      spawn('tar', args).stdout.pipe(response);
      return;
    }
    const versions = Object.entries(packages)
      .filter(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 13) === path)
      .map(([folder, locked]) => [
        locked.version,
        { ...locked, name: path, dist: { tarball: `http://${host}/${folder}` } },
      ]);
    response.statusCode = versions.length === 0 ? 404 : 200;
    const tags = { latest: versions.at(0)?.[0] };
    const body = { name: path, 'dist-tags': tags, versions: Object.fromEntries(versions) };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
