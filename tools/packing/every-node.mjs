// Installs the package for good into an empty project, with one version of Node after another, and uses all of it:
// `npm run pack:nodes`, or with chosen versions `npm run pack:nodes -- 22 24`. Takes a minute for each; needs a registry.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The oldest that is supported, and one of every line since; each with the newest Vitest that runs on it. */
const vitestFor = new Map([
  ['20.19', '4'],
  ['22.13', '4'],
  ['22', '5'],
  ['24', '5'],
  ['26', '5'],
]);

const asked = process.argv.slice(2);
const versions = asked.length > 0 ? asked : [...vitestFor.keys()];
const scratch = mkdtempSync(join(tmpdir(), 'contract-nodes-'));
/** @type {import('node:child_process').ExecFileSyncOptionsWithStringEncoding} */
const quiet = {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  // npm and npx are scripts of the shell there.
  shell: process.platform === 'win32',
};

const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', scratch], quiet);
const tarball = join(scratch, packed.trim().split('\n').at(-1) ?? '');

let failed = 0;
for (const version of versions) {
  const project = join(scratch, `node-${version}`);
  cpSync('tools/packing/project', project, { recursive: true });
  const bin = join(project, 'node_modules/.bin');
  const env = { ...process.env, PATH: bin + delimiter + process.env.PATH, NO_COLOR: '1' };
  /**
   * @param {string} command
   * @param {readonly string[]} args
   * @param {Record<string, string | undefined>} more variables
   */
  const run = (command, args, more = {}) => {
    console.log(`  ${command} ${args.join(' ')}`);
    const options = { ...quiet, cwd: project, env: { ...env, ...more } };
    return execFileSync(command, args, options);
  };
  console.log(`Node ${version}`);
  try {
    const flags = ['--save-dev', '--no-audit', '--no-fund'];
    // First Node: npm itself runs on it then.
    run('npm', ['install', ...flags, `node@${version}`]);
    const vitest = `vitest@${vitestFor.get(version) ?? '5'}`;
    const types = `@types/node@${version.split('.')[0]}`;
    run('npm', ['install', ...flags, tarball, vitest, 'typescript', types]);
    console.log(`  is ${run('node', ['--version']).trim()}`);
    run('npx', ['--no-install', 'task-audit-contract', '--embedded', '--seed', '1']);
    run('npx', ['--no-install', 'tsc', '-p', '.']);
    run('npx', ['--no-install', 'tsc', '-p', 'tsconfig.bundler.json']);
    const { variables, stop } = await serve(project, env);
    const { BASE_URL, ...ids } = variables;
    try {
      run('npx', ['--no-install', 'vitest', 'run'], { ...ids, MOCK_URL: BASE_URL });
    } finally {
      await stop();
    }
    console.log('  works');
  } catch (error) {
    failed += 1;
    const { stdout = '', message } = /** @type {Error & { stdout?: string }} */ (error);
    console.log(`  FAILED\n${stdout}\n${message}`);
  }
}
rmSync(scratch, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Starts the reference service of the installed package.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
async function serve(project, env) {
  const program = resolve(project, 'node_modules/task-audit-contract/dist/cli.js');
  const child = spawn('node', [program, 'serve'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {Record<string, string>} */
  const variables = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [name, value] = line.split(/=(.*)/s);
    if (name !== undefined && value !== undefined) variables[name] = value;
    if (line.startsWith('# Serving')) break;
  }
  return {
    variables,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
