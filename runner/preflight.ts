import { Api } from '../helpers/api.ts';
import type { NameOf, Settings } from '../helpers/config/settings.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Client } from '../helpers/http/client.ts';
import { Inconclusive } from '../helpers/outcomes.ts';

/**
 * One request of each kind that the configuration allows, before anything is judged.
 * @returns why nothing can be judged at all, or undefined where the run may go on
 */
export async function preflight(client: Client, settings: Settings): Promise<string | undefined> {
  const { target, nameOf } = settings;
  const { baseUrl } = target;
  const addresses = { baseUrl, otherRegionUrl: settings.wrongRegionUrl };
  const api = new Api(client, addresses, settings.apiKey, 'before the run');
  const [taskId] = settings.taskIds;
  const [assessmentId] = settings.assessmentIds;
  // A millisecond of long ago: an answer from the export without waiting for a large file.
  const moment = 'range_start=2000-01-01T00%3A00%3A00.000Z&range_end=2000-01-01T00%3A00%3A00.001Z';
  const asked = [
    api.export(moment),
    ...(taskId === undefined ? [] : [api.task(taskId)]),
    ...(assessmentId === undefined ? [] : [api.assessment(assessmentId)]),
  ];
  const settled = await Promise.allSettled(asked);
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = answers;
  if (first === undefined) {
    const failure = settled.find((one) => one.status === 'rejected')?.reason;
    if (!(failure instanceof Inconclusive)) throw failure;
    const [number] = failure.exchanges;
    const on = number === undefined ? '' : ` (#${number})`;
    return `${baseUrl} cannot be reached: ${failure.message}${on}. Is ${nameOf('BASE_URL')} right, and is the target up?`;
  }
  const obstacle = obstacles.find(({ met }) => answers.every(met));
  return obstacle && `${baseUrl} ${obstacle.describe(first, nameOf)}`;
}

interface Obstacle {
  /** Whether an answer is of this kind; where all of them are, the service was not reached. */
  readonly met: (answer: Answer) => boolean;
  readonly describe: (first: Answer, nameOf: NameOf) => string;
}

const obstacles: readonly Obstacle[] = [
  {
    met: ({ status }) => status === 401,
    describe: (_, nameOf) =>
      `answers 401 to every request with the configured key. Is ${nameOf('API_KEY')} valid for this region, and is this machine’s address allowed?`,
  },
  {
    met: ({ status }) => status === 404,
    describe: (_, nameOf) =>
      `answers 404 to every request, also to an export, which takes no id. Is ${nameOf('BASE_URL')} the address of the service, up to /v5?`,
  },
  {
    met: ({ status }) => status >= 300 && status <= 399,
    describe: ({ status }, nameOf) =>
      `answers every request with a redirect (${status}). Redirects are not followed: the key goes nowhere else. Give the address that it leads to as ${nameOf('BASE_URL')}.`,
  },
  {
    met: (answer) => /^\s*<(!doctype )?html/i.test(answer.text),
    describe: (_, nameOf) =>
      `answers every request with an HTML page, as a sign-in page or a gateway does. Is ${nameOf('BASE_URL')} the address of the service, up to /v5?`,
  },
];
