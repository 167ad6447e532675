import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { listen } from '../reference/http.ts';
import { createReference, type Reference, type ReferenceOptions } from '../reference/reference.ts';
import type { ServiceRequest, ServiceResponse } from '../reference/request.ts';

/** A target that other people use too, in the process of the test. */
export interface SharedTarget {
  /** The configuration of a run against it. */
  readonly variables: Record<string, string>;
  readonly taskIds: readonly string[];
  readonly userIds: readonly string[];
  /** The requests that came over the network. */
  requests(): number;
  /** Every task's assignment, in the order of the ids. */
  assignments(): Promise<readonly unknown[]>;
  /** A task as it is. */
  task(taskId: string): Promise<TaskBody>;
  /** Assigns a task as somebody else would, or unassigns it. */
  assign(taskId: string, assignedTo: string | null, comment?: string): Promise<void>;
}

type Handle = Reference['handle'];

/**
 * Starts one, for the time of a test.
 * @param folder where its journal and reports go
 * @param meddle stands between the network and the service; counts from 1
 * @param options what is special about the service
 */
export async function shareTarget(
  folder: string,
  meddle: (request: ServiceRequest, handle: Handle, number: number) => Promise<ServiceResponse> = (
    request,
    handle,
  ) => handle(request),
  options: Partial<ReferenceOptions> = {},
): Promise<SharedTarget> {
  const reference = createReference({ seed: 5, pastEvents: 50, ...options });
  let count = 0;
  const handle: Handle = (request) => {
    count += 1;
    return meddle(request, reference.handle, count);
  };
  const listening = await listen({ ...reference, handle });
  onTestFinished(() => listening.close());
  const { apiKey, taskIds, assessmentIds, actorIds, userIds, teamIds } = reference.facts;
  const ask = async (method: string, path: string, more = {}, body = ''): Promise<TaskBody> => {
    const { body: answered } = await reference.handle({
      method,
      target: `/v5/tasks/${path}`,
      headers: { apikey: apiKey, ...more },
      body,
      remoteAddress: '127.0.0.1',
      region: 'own',
    });
    return JSON.parse(String(answered));
  };
  return {
    variables: {
      BASE_URL: listening.baseUrl,
      API_KEY: apiKey,
      TASK_IDS: taskIds.join(','),
      ASSESSMENT_IDS: assessmentIds.join(','),
      ASSIGNED_BY_ID: actorIds.join(','),
      USER_IDS: userIds.join(','),
      TEAM_IDS: teamIds.join(','),
      WRONG_REGION_URL: listening.otherRegionUrl,
      SEED: '1',
      REQUEST_TIMEOUT_MS: '20000',
      REPORT_DIR: join(folder, 'reports'),
      JOURNAL_DIR: join(folder, 'journal'),
    },
    taskIds,
    userIds,
    requests: () => count,
    assignments: () =>
      Promise.all(taskIds.map(async (id) => (await ask('GET', id)).assignment ?? null)),
    task: (taskId) => ask('GET', taskId),
    async assign(taskId, assignedTo, comment = 'by somebody else') {
      const { updated_at: version } = await ask('GET', taskId);
      const by = { assigned_by_id: actorIds[0], assignment_comment: comment };
      const body =
        assignedTo === null
          ? { unassign: by }
          : { update: { ...by, assigned_to_id: assignedTo, assigned_to_type: 'USER' } };
      const headers = { 'if-match': version, 'content-type': 'application/json' };
      await ask('PUT', `${taskId}/update-assignment`, headers, JSON.stringify(body));
    },
  };
}

interface TaskBody {
  readonly assignment: {
    readonly assigned_to_id: string;
    readonly assigned_to_type: string;
    readonly assignment_comment: string | null;
  } | null;
  readonly updated_at: string;
}
