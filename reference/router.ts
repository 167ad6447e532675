import type { Operation } from '../schemas/operations.ts';
import { exportAuditEvents } from './operations/export.ts';
import { getAssessment, getTask } from './operations/retrieval.ts';
import { refusal, refuse, type Service } from './operations/service.ts';
import { updateAssignment } from './operations/update-assignment.ts';
import type { ServiceRequest, ServiceResponse } from './request.ts';

interface Route {
  readonly method: string;
  /** Matched against the path without its query; the group is the id, still percent-encoded. */
  readonly path: RegExp;
  /** Answers one operation; `id` is the one in the path, or empty where the path has none. */
  answer(request: ServiceRequest, service: Service, id: string): Promise<ServiceResponse>;
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
  export: {
    method: 'GET',
    path: /^\/v5\/audit-sentinel\/events\/export$/,
    answer: exportAuditEvents,
  },
};

/** Finds the operation that a request is for, and answers it. */
export function answerRequest(request: ServiceRequest, service: Service): Promise<ServiceResponse> {
  const path = request.target.split('?')[0] ?? '';
  const onPath = Object.values(routes).filter((route) => route.path.test(path));
  const route = onPath.find(({ method }) => method === request.method);
  if (route) return route.answer(request, service, idIn(route.path.exec(path)?.[1] ?? ''));
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
