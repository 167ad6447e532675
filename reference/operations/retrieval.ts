import type { ServiceRequest, ServiceResponse } from '../request.ts';
import {
  refuse,
  refusedAccess,
  type Service,
  shownAssessment,
  shownTask,
  succeed,
  unknownId,
} from './service.ts';

/** 2. Retrieve a task. */
export async function getTask(
  request: ServiceRequest,
  service: Service,
  id: string,
): Promise<ServiceResponse> {
  const { rules, store } = service;
  const task = rules.findTask(id, store);
  const refused = refusedAccess(request, 'get-task', service);
  if (refused && (task || rules.keyIsCheckedFirst('get-task', 'lookup')))
    return refuse(refused, rules);
  if (!task) return refuse(unknownId('unknown-task', id, rules), rules);
  store.replaceTask(rules.taskAfterRead(task));
  return succeed('get-task', shownTask(task, 'read', rules), rules);
}

/** 3. Retrieve an assessment. */
export async function getAssessment(
  request: ServiceRequest,
  service: Service,
  id: string,
): Promise<ServiceResponse> {
  const { rules, store } = service;
  const assessment = rules.findAssessment(id, store);
  const refused = refusedAccess(request, 'get-assessment', service);
  if (refused && (assessment || rules.keyIsCheckedFirst('get-assessment', 'lookup'))) {
    return refuse(refused, rules);
  }
  if (!assessment) return refuse(unknownId('unknown-assessment', id, rules), rules);
  store.replaceAssessment(rules.assessmentAfterRead(assessment));
  return succeed('get-assessment', shownAssessment(assessment, rules), rules);
}
