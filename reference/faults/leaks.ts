import type { ServiceResponse } from '../service.ts';
import type { Fault } from './fault.ts';
import { someId } from './replaced.ts';

type Wire = NonNullable<Fault['wire']>;

const taskPath = (target: string): string => target.replace('/update-assignment', '');

/** Gives writes that the test picks the version that the task has: however stale theirs is, it is accepted. */
const withTheCurrentVersion =
  (picks: (body: string, task: { assignment: unknown }) => boolean): Wire =>
  (handle) =>
  async (request) => {
    if (request.method !== 'PUT' || !('if-match' in request.headers)) return handle(request);
    const read = await handle({
      ...request,
      method: 'GET',
      target: taskPath(request.target),
      body: '',
    });
    if (read.status !== 200 || !picks(request.body, JSON.parse(String(read.body)))) {
      return handle(request);
    }
    const { updated_at: version } = JSON.parse(String(read.body));
    return handle({ ...request, headers: { ...request.headers, 'if-match': version } });
  };

/** A write that says what the task already says. */
function saysTheSame(body: string, { assignment }: { assignment: unknown }): boolean {
  try {
    const { assignment_comment = null, ...update } = JSON.parse(body).update;
    const said = { ...update, assignment_comment };
    return Object.entries(assignment ?? {}).every(([name, value]) => said[name] === value);
  } catch {
    return false;
  }
}

/** With each write, assessments get another outcome. */
const touchesAssessments: Wire = (handle) => {
  let writes = 0;
  return async (request) => {
    const answer = await handle(request);
    if (request.method === 'PUT' && answer.status === 200) writes += 1;
    if (answer.status !== 200 || !request.target.includes('/assessments/')) return answer;
    const assessment = JSON.parse(String(answer.body));
    const outcome = someId.slice(0, -6) + String(writes).padStart(6, '0');
    return { ...answer, body: JSON.stringify({ ...assessment, outcome_id: outcome }) };
  };
};

/** A read that is refused with 401 is answered with what was last read there. */
const showsWhatItRefuses: Wire = (handle) => {
  const shown = new Map<string, ServiceResponse>();
  return async (request) => {
    const answer = await handle(request);
    if (request.method === 'GET' && answer.status === 200) shown.set(request.target, answer);
    const kept = shown.get(request.target);
    return answer.status === 401 && kept !== undefined ? { ...kept, status: 401 } : answer;
  };
};

/** What gets through although most of its kind does not, or shows although it should not. */
export const leakFaults: readonly Fault[] = [
  {
    id: 'a-stale-version-is-accepted-for-a-team',
    breaks: ['conflict.differing-version-is-409'],
    wire: withTheCurrentVersion((body) => body.includes('"TEAM"')),
  },
  {
    id: 'a-stale-version-is-accepted-where-nothing-would-change',
    breaks: ['conflict.differing-version-is-409'],
    wire: withTheCurrentVersion(saysTheSame),
  },
  {
    id: 'a-write-changes-the-assessment-of-the-task',
    breaks: ['states.only-the-assignment-changes'],
    mayBreak: ['get-assessment.changes-nothing'],
    wire: touchesAssessments,
  },
  {
    id: 'a-read-without-a-key-shows-what-it-refuses',
    breaks: ['get-task.needs-the-apikey'],
    mayBreak: ['auth.invalid-key-is-401', 'get-assessment.needs-the-apikey'],
    wire: showsWhatItRefuses,
  },
];
