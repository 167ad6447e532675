import type { AssignmentRecord, JsonObject } from './records.ts';
import type { Reference } from './reference.ts';
import type { ServiceRequest } from './request.ts';

/** An answer of the service, read as JSON. */
export interface CallerAnswer {
  readonly status: number;
  /** The parsed body; an empty object where there is none. */
  readonly body: JsonObject;
}

/** Calls one instance in process, with its key, the way its own tests do. */
export interface Caller {
  call(request: Partial<ServiceRequest>): Promise<CallerAnswer>;
  readTask(id: string): Promise<CallerAnswer>;
  /** Writes with the version and the body given. */
  write(id: string, version: string, body: unknown): Promise<CallerAnswer>;
  /** Reads the version and assigns the task with it. */
  assign(id: string, assignment: Partial<AssignmentRecord>): Promise<CallerAnswer>;
}

/** A caller of the instance. */
export function callerOf({ handle, facts }: Reference): Caller {
  const caller: Caller = {
    async call(request) {
      const { status, body } = await handle({
        method: 'GET',
        target: '/v5',
        headers: { apikey: facts.apiKey },
        body: '',
        remoteAddress: '127.0.0.1',
        region: 'own',
        ...request,
      });
      return { status, body: body === '' ? {} : JSON.parse(String(body)) };
    },
    readTask: (id) => caller.call({ target: `/v5/tasks/${id}` }),
    write: (id, version, body) =>
      caller.call({
        method: 'PUT',
        target: `/v5/tasks/${id}/update-assignment`,
        headers: {
          apikey: facts.apiKey,
          'if-match': version,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      }),
    async assign(id, assignment) {
      const { body } = await caller.readTask(id);
      return caller.write(id, String(body.updated_at), {
        update: {
          assigned_by_id: facts.actorIds[0],
          assigned_to_id: facts.userIds[0],
          assigned_to_type: 'USER',
          ...assignment,
        },
      });
    },
  };
  return caller;
}
