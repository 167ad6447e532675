import type { Operation } from '../schemas/operations.ts';
import { exportAuditEvents } from './operations/export.ts';
import { getAssessment, getTask } from './operations/retrieval.ts';
import { refusal, refuse, type Service } from './operations/service.ts';
import { updateAssignment } from './operations/update-assignment.ts';
import type { ServiceRequest, ServiceResponse } from './request.ts';

/** `path` is without the query; its group is the id, still percent-encoded. `answer` gets '' where there is no id. */
type Route = readonly [
  method: string,
  path: RegExp,
  answer: (request: ServiceRequest, service: Service, id: string) => Promise<ServiceResponse>,
];

// Paths are served under /v5 of the regional base address (Introduction). An id is one segment.
const routes: Readonly<Record<Operation, Route>> = {
  'update-assignment': ['PUT', /^\/v5\/tasks\/([^/]+)\/update-assignment$/, updateAssignment],
  'get-task': ['GET', /^\/v5\/tasks\/([^/]+)$/, getTask],
  'get-assessment': ['GET', /^\/v5\/assessments\/([^/]+)$/, getAssessment],
  export: ['GET', /^\/v5\/audit-sentinel\/events\/export$/, exportAuditEvents],
};

/** Finds the operation that a request is for, and answers it. */
export function answerRequest(request: ServiceRequest, service: Service): Promise<ServiceResponse> {
  const path = request.target.split('?')[0] ?? '';
  const onPath = Object.values(routes).filter(([, form]) => form.test(path));
  for (const [method, form, answer] of onPath) {
    if (method === request.method)
      return answer(request, service, idIn(form.exec(path)?.[1] ?? ''));
  }
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
