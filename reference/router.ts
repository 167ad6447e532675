import { randomUUID } from 'node:crypto';
import type { Operation } from '../schemas/operations.ts';
import { exportEvents } from './operations/export.ts';
import { getAssessment, getTask } from './operations/retrieval.ts';
import { refusal, refuse, refusedAccess, type Service } from './operations/service.ts';
import { updateAssignment } from './operations/update-assignment.ts';
import type { ServiceRequest, ServiceResponse } from './request.ts';

/** Answers one operation; `id` is the one in the path, or empty where the path has none. */
type Answerer = (request: ServiceRequest, id: string, service: Service) => Promise<ServiceResponse>;

interface Route {
  readonly method: string;
  /** Matched against the path without its query; the group is the id, still percent-encoded. */
  readonly path: RegExp;
  readonly answer: Answerer;
}

// Paths are served under /v5 of the regional base address (Introduction). An id is one segment.
const routes: Readonly<Record<Operation, Route>> = {
  'update-assignment': {
    method: 'PUT',
    path: /^\/v5\/tasks\/([^/]+)\/update-assignment$/,
    answer: updateAssignment,
  },
  'get-task': { method: 'GET', path: /^\/v5\/tasks\/([^/]+)$/, answer: getTask },
  'get-assessment': {
    method: 'GET',
    path: /^\/v5\/assessments\/([^/]+)$/,
    answer: getAssessment,
  },
  export: { method: 'GET', path: /^\/v5\/audit-sentinel\/events\/export$/, answer: exportAnswer },
};

/** Finds the operation that a request is for, and answers it. */
export function answerRequest(request: ServiceRequest, service: Service): Promise<ServiceResponse> {
  const path = request.target.split('?')[0] ?? '';
  const onPath = Object.values(routes).filter((route) => route.path.test(path));
  const route = onPath.find(({ method }) => method === request.method);
  if (route) return route.answer(request, idIn(route.path.exec(path)?.[1] ?? ''), service);
  const { rules } = service;
  const refused =
    onPath.length === 0
      ? refusal('unknown-path', 'Nothing is served under this path.', rules)
      : refusal('other-method', `${request.method} is not served under this path.`, rules);
  return Promise.resolve(refuse(refused, rules));
}

/** The id that a path segment encodes; a segment that is no valid encoding is an id that matches nothing. */
function idIn(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function exportAnswer(
  request: ServiceRequest,
  _id: string,
  service: Service,
): Promise<ServiceResponse> {
  const refused = refusedAccess(request, 'export', service);
  if (refused) return refuse(refused, service.rules);
  const { store, rules, clock } = service;
  return await exportEvents(request, {
    events: [...service.pastEvents(), ...store.events],
    rules,
    now: clock(),
    record: (event) => store.events.push({ id: randomUUID(), ...event }),
  });
}
