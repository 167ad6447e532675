import type { Operation } from '../schemas/operations.ts';
import type { Task, UpdateAssignment } from '../schemas/resources.ts';
import type { Settings } from './config/settings.ts';
import type { Answer } from './http/answer.ts';
import type { Client, ClientRequest } from './http/client.ts';
import type { Exchange } from './http/exchange.ts';
import { NoResponse } from './http/no-response.ts';
import { piecesOfKey } from './http/sent-key.ts';
import type { Route } from './http/transport.ts';
import { Journal } from './tasks/journal.ts';
import { stateIn } from './tasks/task-answer.ts';

/** How a request is sent. Default: with the configured key, to the own region, by the direct route. */
export interface Caller {
  /** Another key than the configured one; null leaves the header out. */
  readonly key?: string | null;
  readonly region?: 'own' | 'other';
  readonly route?: Route;
  /** Headers to send besides those of the operation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters to send besides those of the operation. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Assignee {
  readonly type: 'USER' | 'TEAM';
  readonly id: string;
}

/** What an assignment says besides the assignee. A comment that is left out is not sent at all. */
export interface Remark {
  readonly by: string;
  readonly comment?: string | null | undefined;
  /** How its fields are ordered, where not as in the document, which must not matter in JSON: either way the actor is last. */
  readonly order?: 'actor last' | 'reversed' | undefined;
}

/** A write as it goes over the wire, right or wrong. */
export interface RawUpdate {
  /** null leaves the header out. */
  readonly ifMatch: string | null;
  /** An object is sent as JSON, a text as it is. */
  readonly body: unknown;
  /** null leaves the header out; the document wants application/json. */
  readonly contentType?: string | null | undefined;
}

/** A caller who says, as most clients do, that it accepts JSON, and compressed: it gets what others get. */
export const acceptingJson = {
  headers: { Accept: 'application/json', 'Accept-Encoding': 'gzip' },
} as const satisfies Caller;

/** Where requests go, and with which key. */
export interface Access extends Pick<Settings, 'apiKey' | 'wrongRegionUrl'> {
  readonly target: Pick<Settings['target'], 'baseUrl'>;
}

/** A query of a millisecond long ago: for an export whose answer matters and not its events. The file is small. */
export const withoutEvents =
  'range_start=2000-01-01T00%3A00%3A00.000Z&range_end=2000-01-01T00%3A00%3A00.001Z';

/** How often a write is sent at most where no response comes. */
const maxWrites = 3;

/** The four operations of the document, sent on behalf of one scenario. */
export class Api {
  readonly #client: Client;
  readonly #access: Access;
  readonly #scenario: string;
  readonly #journal: Journal;

  /** @param journal records every write, and what is read of tasks */
  constructor(client: Client, access: Access, scenario: string, journal = new Journal()) {
    this.#client = client;
    this.#access = access;
    this.#scenario = scenario;
    this.#journal = journal;
  }

  /** GET /tasks/{task_id} */
  async task(id: string, caller: Caller = {}): Promise<Answer> {
    const sent = this.#send('get-task', `/tasks/${encodeURIComponent(id)}`, caller);
    if (Object.keys(caller).length === 0 || caller === acceptingJson)
      this.#journal.of(id).beforeRead(sent);
    const answer = await sent;
    this.#journal.of(id).afterRead(answer);
    return answer;
  }

  /** GET on the path for which the document has PUT alone: changes nothing. */
  readUnderUpdate(id: string): Promise<Answer> {
    return this.#send('get-task', `/tasks/${encodeURIComponent(id)}/update-assignment`, {});
  }

  /** GET /assessments/{assessment_id} */
  assessment(id: string, caller: Caller = {}): Promise<Answer> {
    return this.#send('get-assessment', `/assessments/${encodeURIComponent(id)}`, caller);
  }

  /**
   * GET /audit-sentinel/events/export
   * @param query already encoded: `event_type=assessment&metadata%5Btag%5D=kyc`, or empty
   * @param consume takes the file piece by piece: then the answer keeps only the first bytes of it
   */
  export(query: string, caller: Caller = {}, consume?: ClientRequest['consume']): Promise<Answer> {
    const path = `/audit-sentinel/events/export${query && `?${query}`}`;
    const request = this.#request('export', path, caller);
    return this.#client.send(consume === undefined ? request : { ...request, consume });
  }

  /**
   * Sends a GET of this run again, with the configured key and for as long as a restart takes, to see whether its
   * server error lasts. A file that comes is thrown away.
   */
  again(repeats: Exchange): Promise<Answer> {
    const { operation, request } = repeats;
    const { url } = request;
    return this.#client.send({
      ...this.#request(operation, '', {}),
      url,
      repeats: repeats.number,
      consume: async (pieces) => {
        for await (const _ of pieces);
      },
    });
  }

  /**
   * PUT /tasks/{task_id}/update-assignment, with whatever headers and body the scenario wants. Where no response comes, and
   * the task still reads as it was, it is sent again.
   * @throws NoResponse where none comes, or it is not known what the write has done
   */
  async update(taskId: string, update: RawUpdate, caller: Caller = {}): Promise<Answer> {
    const request = this.#update(taskId, update, caller);
    const seen = this.#journal.of(taskId).latestVersion;
    let lost: NoResponse | undefined;
    for (let attempt = 1; ; attempt += 1) {
      // A write that cannot be sent any more must not be noted as one to put back.
      this.#client.requireOpen();
      const number = this.#journal.of(taskId).beforeWrite(request.body ?? '', update.ifMatch);
      try {
        const answer = await this.#client.send(request);
        this.#journal.of(taskId).afterWrite(number, answer);
        // Its version is outdated where the lost write was carried out after all, after the read.
        if (lost && answer.status === 409 && update.ifMatch === seen) throw lost;
        return answer;
      } catch (error) {
        if (!(error instanceof NoResponse) || error === lost || attempt === maxWrites) throw error;
        if (error.failure !== 'interrupted' || seen === undefined) throw error;
        if ((await this.#versionOf(taskId)) !== seen) throw error;
        lost = error;
      }
    }
  }

  /** The version that a task reads with now; undefined where no answer shows it. */
  async #versionOf(taskId: string): Promise<string | undefined> {
    const read = await this.task(taskId).catch(() => undefined);
    return read && stateIn(read, taskId)?.version;
  }

  /** Sends several writes to one task in the same moment. */
  async updatesTogether(taskId: string, updates: readonly RawUpdate[]): Promise<Answer[]> {
    const requests = updates.map((update) => this.#update(taskId, update, {}));
    this.#client.requireOpen();
    const numbers = requests.map(({ body = '' }, index) =>
      this.#journal.of(taskId).beforeWrite(body, updates[index]?.ifMatch),
    );
    const answers = await this.#client.sendTogether(requests);
    for (const [index, answer] of answers.entries()) {
      this.#journal.of(taskId).afterWrite(numbers[index] ?? 0, answer);
    }
    return answers;
  }

  /** Assigns the task to somebody, or to nobody (null), with the version that was read of it. */
  assign(task: Task, to: Assignee | null, remark: Remark, caller: Caller = {}): Promise<Answer> {
    const body = bodyThatAssigns(to, remark);
    return this.update(task.id, { ifMatch: task.updated_at, body }, caller);
  }

  #send(operation: Operation, path: string, caller: Caller): Promise<Answer> {
    return this.#client.send(this.#request(operation, path, caller));
  }

  #update(taskId: string, update: RawUpdate, caller: Caller): ClientRequest {
    const { ifMatch, body, contentType = 'application/json' } = update;
    const headers = {
      ...(ifMatch !== null && { 'If-Match': ifMatch }),
      ...(contentType !== null && { 'Content-Type': contentType }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const path = `/tasks/${encodeURIComponent(taskId)}/update-assignment`;
    return this.#request('update-assignment', path, caller, headers, text);
  }

  #request(
    operation: Operation,
    path: string,
    caller: Caller,
    headers: Record<string, string> = {},
    body?: string,
  ): ClientRequest {
    const { apiKey, target, wrongRegionUrl } = this.#access;
    const { key = apiKey, region = 'own', route = 'direct', parameters = {} } = caller;
    const base = region === 'own' ? target.baseUrl : wrongRegionUrl;
    if (base === undefined)
      throw new Error('A scenario that does not need another region sends a request there.');
    if (key !== null) this.#client.recorder.redactor.keepSecret(key);
    const pieces = key === null ? undefined : piecesOfKey(key, apiKey);
    return {
      operation,
      scenario: this.#scenario,
      method: operation === 'update-assignment' ? 'PUT' : 'GET',
      url: withParameters(base + path, parameters),
      headers: { ...(key !== null && { apikey: key }), ...headers, ...caller.headers },
      ...(body !== undefined && { body }),
      ...(pieces !== undefined && { key: pieces }),
      route,
    };
  }
}

function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** The body that assigns a task to somebody, or unassigns it (null) (1. Update a task assignment). */
export function bodyThatAssigns(
  to: Assignee | null,
  { by, comment, order }: Remark,
): UpdateAssignment {
  const said = comment !== undefined && { assignment_comment: comment };
  const actor = { assigned_by_id: by };
  const assignee = to && { assigned_to_id: to.id, assigned_to_type: to.type };
  const fields = Object.entries({
    ...(order !== 'actor last' && actor),
    ...assignee,
    ...said,
    ...actor,
  });
  const inOrder = Object.fromEntries(order === 'reversed' ? fields.toReversed() : fields);
  return { [to === null ? 'unassign' : 'update']: inOrder } as UpdateAssignment;
}
