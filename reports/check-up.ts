import { type AssignmentFields, describeAssignment } from '../helpers/tasks/task-answer.ts';
import { pdfEventLimit } from '../schemas/operations.ts';
import type { Lack } from '../schemas/results.ts';
import { invocation } from './commands.ts';
import { printableLine } from './printable.ts';
import { terminal } from './terminal.ts';
import { counted, listed, reasonsText } from './wording.ts';

/** What was found under an id, or, where nothing was, why. */
export interface LookedUp<State> {
  readonly id: string;
  readonly state: State | undefined;
  readonly why: string;
}

/** What exports were found to be made of. */
export interface ExportsFound {
  readonly events: number;
  readonly columns: number;
  /** The window that is used, in milliseconds since 1970. */
  readonly window: { readonly start: number; readonly end: number };
  /** The column of the time of an event, from 0, and the unit that it is written to, in milliseconds. */
  readonly times: { readonly columns: readonly number[]; readonly unit: number } | undefined;
  /** How lists are sent; undefined where no encoding was found to work. */
  readonly encoding: string | undefined;
  readonly filters: readonly FilterFound[];
}

/** What came of the values of a filter. */
export interface FilterFound {
  readonly name: string;
  /**
   * `known`: some keep a part of the events. `none`: none was found that does. `unmatched`: one that rows show keeps none of
   * them. `all`: one keeps all, though rows show others. `refused`: all are. `exchanged`: it takes those of another filter.
   */
  readonly values: 'known' | 'none' | 'unmatched' | 'all' | 'refused' | 'exchanged';
}

/** The configured mailbox, and how many addresses are configured. */
export interface EmailFound {
  readonly url: string;
  /** Or why it cannot be read. */
  readonly mailbox: { readonly kind: string; readonly messages: number } | string;
  readonly users: {
    readonly configured: number;
    /** Their ids: of these no address is known. */
    readonly without: readonly string[];
    readonly distinct: number;
  };
  /** Teams of which members are known. */
  readonly teams: readonly { readonly id: string; readonly members: number }[];
  readonly hasAssigner: boolean;
}

/** All that `doctor` looks at. */
export interface CheckUp {
  readonly baseUrl: string;
  /** By how many milliseconds the target's clock is ahead; undefined where it sends no Date. */
  readonly clockAheadMs: number | undefined;
  readonly tasks: readonly LookedUp<{
    readonly assignment: AssignmentFields | null;
    readonly version: string;
    /** A run of this suite has assigned it, and not put it back. */
    readonly isOfARun: boolean;
  }>[];
  /** In how many names, and to how many, tasks may be assigned, and whether that is allowed. */
  readonly assigning: {
    readonly actors: number;
    readonly users: number;
    readonly teams: number;
    readonly isAllowed: boolean;
    /** Ids in the wrong one of both lists, and the task that shows it: it is assigned to them. */
    readonly misplaced: readonly {
      readonly variable: 'USER_IDS' | 'TEAM_IDS';
      readonly id: string;
      readonly taskId: string;
    }[];
  };
  readonly assessments: readonly LookedUp<{ readonly workflowState: string }>[];
  /** Or why nothing could be found out. */
  readonly exports: ExportsFound | string;
  /** Missing where no mailbox is configured. */
  readonly email: EmailFound | undefined;
  /** How many clauses, and open points, a run is to look at, and what is missing to look at some of them. */
  readonly clauses: {
    readonly judged: Looked;
    readonly open: Looked;
    readonly leftOut: number;
    readonly unmet: readonly Unmet[];
    /** What is missing to judge the whole of some that can be judged. */
    readonly inPart: readonly Unmet[];
  };
}

/** What is missing, and the clauses that it is missing for. */
interface Unmet {
  readonly lacks: readonly Lack[];
  readonly ids: readonly string[];
}

/** How many a run is to look at, and of how many it can with what is configured. */
interface Looked {
  readonly all: number;
  readonly possible: number;
}

/** One thing that was looked at. `bad`: a run would suffer from it. `note`: it would judge less. */
export interface Finding {
  readonly mark: 'ok' | 'note' | 'bad';
  readonly text: string;
}

/** A clock that is further off than this makes windows of the past doubtful. */
const clockToleranceMs = 60_000;

/** What a check-up says of the coming run, topic by topic. */
export function findingsOf(checkUp: CheckUp): ReadonlyMap<string, readonly Finding[]> {
  const { assessments, exports, email } = checkUp;
  return new Map([
    ['Target', targetFindings(checkUp)],
    ['Tasks', taskFindings(checkUp)],
    ['Assessments', assessmentFindings(assessments)],
    ['Exports', typeof exports === 'string' ? [bad(exports)] : exportFindings(exports)],
    ['Email', email === undefined ? [note('MAILBOX_URL: none')] : emailFindings(email)],
    ['Clauses', clauseFindings(checkUp.clauses)],
  ]);
}

/** The findings for people. Ends with a line feed. */
export function renderFindings(
  topics: ReadonlyMap<string, readonly Finding[]>,
  width: number,
): string {
  const { wrap } = terminal({ color: false, width });
  const sign = { ok: '✓', note: '–', bad: '✗' } as const;
  return [...topics]
    .map(([topic, findings]) => {
      const lines = findings.flatMap(({ mark, text }) =>
        wrap(printableLine(text), `  ${sign[mark]} `, '    '),
      );
      return `${[topic, ...lines].join('\n')}\n`;
    })
    .join('\n');
}

const ok = (text: string): Finding => ({ mark: 'ok', text });
const note = (text: string): Finding => ({ mark: 'note', text });
/** Something that a run would suffer from. */
export const bad = (text: string): Finding => ({ mark: 'bad', text });

function targetFindings({ baseUrl, clockAheadMs }: CheckUp): Finding[] {
  const found = [
    ok(`${baseUrl} answers, and accepts the key`),
    baseUrl.startsWith('https:')
      ? ok('its certificate is trusted')
      : note('http: the key travels unencrypted'),
  ];
  if (clockAheadMs === undefined) return [...found, note('no Date header shows its clock')];
  const seconds = Math.abs(clockAheadMs) / 1000;
  const how = clockAheadMs < 0 ? 'behind' : 'ahead';
  return Math.abs(clockAheadMs) > clockToleranceMs
    ? [...found, bad(`its clock is ${seconds} s ${how}: audit events may be missed`)]
    : [...found, ok(`its clock differs by ${seconds} s`)];
}

function taskFindings({
  tasks,
  assigning: { actors, users, teams, isAllowed, misplaced },
}: CheckUp): Finding[] {
  if (tasks.length === 0) return [note('TASK_IDS: none')];
  const found = tasks.map(({ id, state, why }) =>
    state === undefined ? bad(`${id}: ${why}`) : assignedFinding(id, state),
  );
  if (tasks.every(({ state }) => state === undefined)) return found;
  const transitions = [
    users > 0 && 'to a user',
    users > 1 && 'from user to user',
    teams > 0 && 'to a team',
    users > 0 && teams > 0 && 'between user and team',
    (users > 0 || teams > 0) && 'unassigned',
  ].filter((transition) => transition !== false);
  const allowed = isAllowed ? 'will be' : 'could be, with ALLOW_WRITES=yes,';
  const text =
    transitions.length === 0
      ? 'no transition can be tried: USER_IDS and TEAM_IDS are empty'
      : `tasks ${allowed} assigned ${transitions.join(', ')}`;
  const who = 'whether each write names, and is recorded under, who made it';
  const oneActor = note(
    users > 1
      ? `ASSIGNED_BY_ID: one; a run tries one of USER_IDS as a second: without one, ${who} is not judged`
      : `ASSIGNED_BY_ID: one; with a second, or two of USER_IDS, ${who} is judged too`,
  );
  const unproved = note(
    'whether the target takes USER_IDS, TEAM_IDS and ASSIGNED_BY_ID is shown by writes alone: a run finds out',
  );
  const exchanged = misplaced.map(({ variable, id, taskId }) => {
    const [what, list] = variable === 'USER_IDS' ? ['team', 'TEAM_IDS'] : ['user', 'USER_IDS'];
    return bad(
      `${variable}: ${id} is a ${what}, by the assignment of task ${taskId}; are ${variable} and ${list} exchanged?`,
    );
  });
  return [
    ...found,
    ...exchanged,
    isAllowed && transitions.length === 5 ? ok(text) : note(text),
    ...(transitions.length === 0 ? [] : [unproved]),
    ...(actors === 1 ? [oneActor] : []),
  ];
}

function assignedFinding(
  id: string,
  { assignment, version, isOfARun }: NonNullable<CheckUp['tasks'][number]['state']>,
): Finding {
  const text = `${id}: assigned to ${describeAssignment(assignment)}`;
  return isOfARun
    ? bad(
        `${text} since ${version}, by a run of this suite that has not put it back. Where that run is still going on, wait until it has ended; where it was killed: ${invocation} restore, on the machine that has its journal; where the journal is lost, assign the task by hand as it should be, or: ${invocation} restore --unassign ${id}`,
      )
    : ok(text);
}

function assessmentFindings(assessments: CheckUp['assessments']): Finding[] {
  if (assessments.length === 0) return [note('ASSESSMENT_IDS: none')];
  const seen = new Set(assessments.flatMap(({ state }) => state?.workflowState ?? []));
  const missing = ['Active', 'Cancelled', 'Error'].filter((state) => !seen.has(state));
  return [
    ...assessments.map(({ id, state, why }) =>
      state === undefined ? bad(`${id}: ${why}`) : ok(`${id}: ${state.workflowState}`),
    ),
    ...missing.map((state) =>
      note(`none is in state ${state}: what the document says of that state is not judged`),
    ),
  ];
}

function exportFindings(found: ExportsFound): Finding[] {
  const { events, columns, window, times, encoding, filters } = found;
  const instant = (time: number): string => new Date(time).toISOString();
  const names = (values: FilterFound['values']): string =>
    filters.flatMap((filter) => (filter.values === values ? filter.name : [])).join(', ');
  const what = `${counted(events, 'event')} from ${instant(window.start)} to ${instant(window.end)}, in ${columns} columns`;
  const limit = `the limit of a PDF, ${counted(pdfEventLimit, 'event')},`;
  return [
    events > 0 ? ok(what) : bad(what),
    events > pdfEventLimit ? ok(`${limit} can be reached`) : note(`${limit} cannot be reached`),
    times === undefined
      ? note('no column can be read as the time of an event')
      : ok(
          `column ${times.columns.map((column) => column + 1).join(' with ')} holds the time, to ${times.unit} ms`,
        ),
    encoding === undefined
      ? note('no encoding of lists was found to work')
      : ok(`several values of a list are sent in the way of ARRAY_ENCODING=${encoding}`),
    ok(`values are known for ${names('known') || 'no filter'}`),
    ...(['none', 'unmatched', 'all', 'refused', 'exchanged'] as const).flatMap((values) =>
      names(values) === '' ? [] : [note(`${names(values)}: ${doubts[values]}`)],
    ),
  ];
}

/** A filter without values may be for want of them, or because the target does not filter: a run tells, as far as it can. */
const doubts: Readonly<Record<Exclude<FilterFound['values'], 'known'>, string>> = {
  none: 'no value was found that keeps a part of the events. Either none occurs in the window (EXPORT_FILTER_VALUES can give some, EXPORT_RANGE_START a longer one), or the target does not filter by it',
  unmatched:
    'a value that events show keeps none of them. Either the target does not filter by it as it should, or the file shows these values otherwise than the filter takes them (EXPORT_FILTER_VALUES can give them)',
  all: 'a value keeps all events, though others are shown. Either the target ignores the filter, or what events show are not its values (EXPORT_FILTER_VALUES can give them)',
  refused: 'every value is refused, which the target does not do for other filters',
  exchanged: 'it keeps events by what they show as the value of another filter',
};

/** So many ids are named of those that lack something. */
const maxIds = 4;

/** People are named by their ids: addresses are personal data. */
function emailFindings({ url, mailbox, users, teams, hasAssigner }: EmailFound): Finding[] {
  const { configured, without, distinct } = users;
  const known = configured - without.length;
  const shared = known > distinct ? ', some of them the same' : '';
  const lacking = without.length === 0 ? '' : `, and lacks ${listed(without, maxIds)}`;
  const addresses = `USER_EMAILS has the addresses of ${known} of ${configured} users${shared}${lacking}`;
  return [
    typeof mailbox === 'string'
      ? bad(mailbox)
      : ok(
          `${mailbox.kind} at ${url}: ${counted(mailbox.messages, 'message')} to the configured addresses`,
        ),
    known > 1 && lacking === '' ? ok(addresses) : note(addresses),
    ...teams.map(({ id, members }) =>
      members > 1
        ? ok(`team ${id}: ${members} members`)
        : note(`team ${id}: one member, which shows little about the others`),
    ),
    ...(teams.length === 0 ? [note('TEAM_EMAILS has the members of none of the teams')] : []),
    ...(hasAssigner
      ? []
      : [note('USER_EMAILS lacks ASSIGNED_BY_ID: copies to the assigner are not observed')]),
  ];
}

function clauseFindings({ judged, open, leftOut, unmet, inPart }: CheckUp['clauses']): Finding[] {
  const lacking = (without: string) => (one: Unmet) => {
    const why = reasonsText([{ kind: 'not configured', lacks: [...one.lacks] }]);
    return note(`${why} ${without}: ${one.ids.join(', ')}`);
  };
  const besides = leftOut === 0 ? '' : `; ${counted(leftOut, 'clause')} left out (EXCEPT)`;
  return [
    ok(`${judged.possible} of ${counted(judged.all, 'clause')} can be judged${besides}`),
    ok(`${open.possible} of ${counted(open.all, 'open point')} can be observed`),
    ...unmet.map(lacking('Not looked at')),
    ...inPart.map(lacking('Judged in part')),
  ];
}
