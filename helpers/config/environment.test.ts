import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { environment, misspeltVariables } from './environment.ts';

beforeEach(async () => {
  const before = process.cwd();
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  process.chdir(folder);
  // Whatever the machine has set.
  for (const name of ['ENV_FILE', 'SEED', 'TEAM_IDS']) vi.stubEnv(name, undefined);
  onTestFinished(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
});

test('without a .env it is what the process has', () => {
  expect(environment()).toEqual(process.env);
});

test('a .env completes it, and changes nothing of it', async () => {
  vi.stubEnv('SEED', '1');
  await writeFile('.env', 'SEED=2\nTEAM_IDS="a,b" # two\n');
  expect(environment()).toMatchObject({ SEED: '1', TEAM_IDS: 'a,b' });
  expect(process.env.TEAM_IDS).toBeUndefined();
});

test('a .env that cannot be read is an error', async () => {
  await mkdir('.env');
  expect(environment).toThrow(/^\.env: cannot be read \(EISDIR/);
});

test('ENV_FILE names another file in its place, which must be there', async () => {
  await writeFile('.env', 'SEED=2\n');
  await writeFile('us.env', 'TEAM_IDS=us\n');
  vi.stubEnv('ENV_FILE', 'us.env');
  expect(environment()).toMatchObject({ TEAM_IDS: 'us' });
  expect(environment().SEED).toBeUndefined();
  vi.stubEnv('ENV_FILE', 'eu.env');
  expect(environment).toThrow(/^There is no file "eu\.env" \(ENV_FILE, --env\)\. /);
});

test.for([
  ['TASKS_IDS', 'TASK_IDS'],
  ['TAKS_IDS', 'TASK_IDS'],
  ['BASE_UR', 'BASE_URL'],
  ['base_url', 'BASE_URL'],
  ['USERS_IDS', 'USER_IDS'],
  ['USER_ID', 'USER_IDS'],
  ['ALLOW_WRITE', 'ALLOW_WRITES'],
  ['ASSIGNED_BY_IDS', 'ASSIGNED_BY_ID'],
] as const)('%s in a file is told as a misspelling of %s', async ([name, meant]) => {
  await writeFile('.env', `${name}=1\nSEED=2\nOTHER_TOOL=3\n`);
  expect(misspeltVariables()).toEqual([{ name, meant, file: '.env' }]);
});

test('in the environment it is where the right name is not set', async () => {
  vi.stubEnv('TASKS_IDS', '1');
  expect(misspeltVariables()).toEqual([{ name: 'TASKS_IDS', meant: 'TASK_IDS', file: undefined }]);
  await writeFile('.env', 'TASK_IDS=2\n');
  expect(misspeltVariables()).toEqual([]);
});

test('what shells, pipelines and other programs set is no misspelling', () => {
  const usual = `
    ALL_PROXY APIKEYS_FILE APPDATA APP_KEY APP_URL AWS_REGION AWS_SECRET_ACCESS_KEY BASH_ENV BASE_BRANCH BASE_IMAGE BRANCH_NAME
    BUILD_ID BUILD_NUMBER BUILD_TAG BUILD_URL CACHE_DIR CARGO_HOME CHANGE_ID CI CI_API_V4_URL CI_COMMIT_SHA CI_JOB_ID
    CI_JOB_TOKEN CI_PIPELINE_URL CI_PROJECT_DIR CI_RUNNER_ID CI_SERVER_URL CIRCLE_BUILD_URL CIRCLECI COLORTERM COMPUTERNAME
    CURL_CA_BUNDLE DATABASE_URL DEBIAN_FRONTEND DISPLAY EDITOR FORCE_COLOR FTP_PROXY GIT_BRANCH GIT_COMMIT GIT_URL
    GITHUB_ACTIONS GITHUB_API_URL GITHUB_BASE_REF GITHUB_ENV GITHUB_OUTPUT GITHUB_RUN_ID GITHUB_SERVER_URL GITHUB_STEP_SUMMARY
    GITHUB_TOKEN GITLAB_CI GITLAB_USER_ID GITLAB_USER_EMAIL GOPATH GPG_KEY HOME HOSTNAME HOST_NAME HUDSON_URL IMAGE_TAG
    JAVA_HOME JENKINS_HOME JENKINS_URL JOB_BASE_NAME JOB_NAME JOB_URL KUBECONFIG LANG LANGUAGE LC_ALL LOGNAME LS_COLORS MAIL
    MAVEN_OPTS NODE_ENV NODE_EXTRA_CA_CERTS NODE_NAME NODE_OPTIONS NODE_PATH NODE_VERSION NO_COLOR NPM_TOKEN NVM_DIR OLDPWD
    PAGER PATH PIPELINE_ID PORT PWD PYTHONPATH REQUESTS_CA_BUNDLE RSYNC_PROXY RUNNER_OS RUNNER_TEMP RUNNER_TOOL_CACHE
    RUN_DISPLAY_URL RUN_ID SHELL SHLVL SOCKS_PROXY SSH_AUTH_SOCK SSL_CERT_DIR SSL_CERT_FILE STAGE_NAME SYSTEM_TEAMPROJECT
    TASK_ID TEAM_ID TEMP TERM TF_BUILD TIMEOUT_MS TMPDIR TRAVIS TZ USER USERNAME USERPROFILE USER_ID VERCEL_URL VIRTUAL_ENV
    VITE_API_URL WORKSPACE XDG_CONFIG_HOME XDG_RUNTIME_DIR all_proxy ftp_proxy http_proxy https_proxy no_proxy
    npm_config_cache npm_config_noproxy npm_config_registry npm_execpath npm_lifecycle_event npm_package_name`;
  for (const name of usual.trim().split(/\s+/)) vi.stubEnv(name, '1');
  expect(misspeltVariables()).toEqual([]);
});
