import type { Settings } from '../helpers/config/settings.ts';
import type { KnownFilter } from '../helpers/exports/filters.ts';
import type { LearnedExports } from '../helpers/exports/learn.ts';
import { type Filter, filters } from '../helpers/exports/query.ts';
import { AddressBook, teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import { countsOf, groupBy } from '../helpers/maps.ts';
import { describeAssignment, type TaskState } from '../helpers/tasks/task-answer.ts';
import type { CheckUpFile } from '../schemas/files.ts';
import { pdfEventLimit } from '../schemas/operations.ts';
import { sameId } from '../schemas/resources.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { listSection, type Report } from './blocks.ts';
import { invocation } from './commands.ts';
import { byLacks, type ToldVerdict, tallyOf, toldVerdict } from './verdicts.ts';
import { counted, listed, present, reasonsText } from './wording.ts';

/** What the target has under an id; where `state` is undefined, `why` says why nothing was read. */
interface LookedUp<State> {
  readonly id: string;
  readonly state: State | undefined;
  readonly why: string;
}

/** All that `doctor` looks at. */
export interface CheckUp {
  readonly settings: Settings;
  /** By how many milliseconds the target's clock is ahead; undefined where it sends no Date. */
  readonly clockAheadMs: number | undefined;
  /** `isOfARun`: a run of this suite has assigned the task, and not put it back. */
  readonly tasks: readonly LookedUp<TaskState & { readonly isOfARun: boolean }>[];
  readonly assessments: readonly LookedUp<{ readonly workflowState: string }>[];
  /** What was learned of the exports, or, as a text, why nothing could be learned. */
  readonly exports: LearnedExports | string;
  /** The configured mailbox, or, as a text, why it cannot be read; undefined where none is configured. */
  readonly mailbox: { readonly kind: string; readonly messages: number } | string | undefined;
  /** The clauses, with the verdicts of a run on a faultless target. */
  readonly clauses: readonly ClauseResult[];
}

/** One thing that was looked at. `bad`: a run would suffer from it. `note`: it would judge less. */
type Check = CheckUpFile['topics'][number]['findings'][number];

/** What a check-up says of the coming run, topic by topic. */
export function checksOf(checkUp: CheckUp): CheckUpFile['topics'] {
  const { exports, mailbox, settings } = checkUp;
  const topics = {
    Target: targetChecks(checkUp),
    Tasks: taskChecks(checkUp),
    Assessments: assessmentChecks(checkUp.assessments),
    Exports: typeof exports === 'string' ? [bad(exports)] : exportChecks(exports),
    Email: mailbox === undefined ? [note('MAILBOX_URL: none')] : emailChecks(mailbox, settings),
    Clauses: clauseChecks(checkUp.clauses),
  };
  return Object.entries(topics).map(([topic, findings]) => ({ topic, findings }));
}

/** The report of a check-up: a section for each topic, a mark before each check. */
export function checkUpReport({ topics, isReady }: CheckUpFile): Report {
  const sign = { ok: '✓', note: '–', bad: '✗' } as const;
  const marks = countsOf(topics.flatMap(({ findings }) => findings.map(({ mark }) => mark)));
  const { ok = 0, note = 0, bad = 0 } = Object.fromEntries(marks);
  return {
    kind: 'Check-up',
    title: isReady ? 'Ready' : 'Not ready',
    tone: isReady ? 'good' : 'bad',
    sentence:
      'A run would suffer from what is marked ✗; with what is marked – it would judge less.',
    facts: [['Marked', [`✓ ${ok}, – ${note}, ✗ ${bad}`]]],
    sections: topics.map(({ topic, findings }) =>
      listSection(
        topic,
        findings.map(({ mark, text }) => [[`${sign[mark]} ${text}`]]),
      ),
    ),
  };
}

const ok = (text: string): Check => ({ mark: 'ok', text });
const note = (text: string): Check => ({ mark: 'note', text });
/** Something that a run would suffer from. */
export const bad = (text: string): Check => ({ mark: 'bad', text });
const okOrNote = (isOk: boolean, text: string): Check => (isOk ? ok(text) : note(text));

function targetChecks({ settings: { target }, clockAheadMs }: CheckUp): Check[] {
  return [
    ok(`${target.baseUrl} answers, and accepts the key`),
    target.baseUrl.startsWith('https:')
      ? ok('its certificate is trusted')
      : note('http: the key travels unencrypted'),
    clockCheck(clockAheadMs),
  ];
}

/** A clock that is a minute off makes windows of the past doubtful. */
function clockCheck(aheadMs: number | undefined): Check {
  if (aheadMs === undefined) return note('no Date header shows its clock');
  const seconds = Math.abs(aheadMs) / 1000;
  if (seconds <= 60) return ok(`its clock differs by ${seconds} s`);
  return bad(
    `its clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead'}: audit events may be missed`,
  );
}

function taskChecks({ settings, tasks }: CheckUp): Check[] {
  if (tasks.length === 0) return [note('TASK_IDS: none')];
  const found = tasks.map(({ id, state, why }) => {
    if (state === undefined) return bad(`${id}: ${why}`);
    const text = `${id}: assigned to ${describeAssignment(state.assignment)}`;
    return state.isOfARun
      ? bad(
          `${text} since ${state.version}, by a run of this suite that has not put it back. Where that run is still going on, wait until it has ended; where it was killed: ${invocation} restore, on the machine that has its journal; where the journal is lost, assign the task by hand as it should be, or: ${invocation} restore --unassign ${id}`,
        )
      : ok(text);
  });
  if (tasks.every(({ state }) => state === undefined)) return found;
  return [...found, ...exchangedChecks(tasks, settings), ...writeChecks(settings)];
}

function writeChecks({ userIds, teamIds, assignedByIds, writes }: Settings): Check[] {
  const [users, teams] = [userIds.length, teamIds.length];
  const transitions = present(
    users > 0 && 'to a user',
    users > 1 && 'from user to user',
    teams > 0 && 'to a team',
    users > 0 && teams > 0 && 'between user and team',
    users + teams > 0 && 'unassigned',
  );
  const isTried = transitions.length > 0;
  const allowed = writes ? 'will be' : 'could be, with ALLOW_WRITES=yes,';
  const who = 'whether each write names, and is recorded under, who made it';
  const second =
    users > 1
      ? `a run tries one of USER_IDS as a second: without one, ${who} is not judged`
      : `with a second, or two of USER_IDS, ${who} is judged too`;
  return present(
    isTried
      ? okOrNote(
          writes && transitions.length === 5,
          `tasks ${allowed} assigned ${transitions.join(', ')}`,
        )
      : note('no transition can be tried: USER_IDS and TEAM_IDS are empty'),
    isTried &&
      note(
        'whether the target takes USER_IDS, TEAM_IDS and ASSIGNED_BY_ID is shown by writes alone: a run finds out',
      ),
    assignedByIds.length === 1 && note(`ASSIGNED_BY_ID: one; ${second}`),
  );
}

/** A complaint for each id of USER_IDS that a task is assigned to as a team, and for TEAM_IDS the other way round. */
function exchangedChecks(tasks: CheckUp['tasks'], { userIds, teamIds }: Settings): Check[] {
  const ids = [
    ...userIds.map((id) => [id, 'USER_IDS', 'TEAM', 'TEAM_IDS'] as const),
    ...teamIds.map((id) => [id, 'TEAM_IDS', 'USER', 'USER_IDS'] as const),
  ];
  return ids.flatMap(([id, variable, type, list]) => {
    const task = tasks.find(({ state }) => {
      const { assigned_to_id: to, assigned_to_type: toType } = state?.assignment ?? {};
      return toType === type && sameId(to, id);
    });
    if (task === undefined) return [];
    const is = `${id} is a ${type.toLowerCase()}, by the assignment of task ${task.id}`;
    return bad(`${variable}: ${is}; are ${variable} and ${list} exchanged?`);
  });
}

function assessmentChecks(assessments: CheckUp['assessments']): Check[] {
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

function exportChecks(learned: LearnedExports): Check[] {
  const { window, base, columns, encoding, areMany } = learned;
  const { known } = learned.filters;
  const { rows, columns: width } = base.table;
  const instant = (time: number): string => new Date(time).toISOString();
  const isKnown = (name: Filter): boolean => (known.get(name)?.values.length ?? 0) > 0;
  const unknown = filters.filter((name) => !isKnown(name));
  const byDoubt = groupBy(unknown, (name) => doubtOf(known.get(name)));
  const what = `${counted(rows.length, 'event')} from ${instant(window.start)} to ${instant(window.end)}, in ${width} columns`;
  return [
    rows.length > 0 ? ok(what) : bad(what),
    okOrNote(
      areMany,
      `the limit of a PDF, ${counted(pdfEventLimit, 'event')}, ${areMany ? 'can' : 'cannot'} be reached`,
    ),
    columns.times === undefined
      ? note('no column can be read as the time of an event')
      : ok(
          `column ${columns.times.columns.map((column) => column + 1).join(' with ')} holds the time, to ${columns.times.unit} ms`,
        ),
    encoding.forTwoValues.length === 0
      ? note('no encoding of lists was found to work')
      : ok(`several values of a list are sent in the way of ARRAY_ENCODING=${encoding.best}`),
    ok(`values are known for ${filters.filter(isKnown).join(', ') || 'no filter'}`),
    ...Array.from(byDoubt, ([doubt, names]) => note(`${names.join(', ')}: ${doubt}`)),
  ];
}

function doubtOf({ refused, unmatched, keptAll }: Partial<KnownFilter> = {}): string {
  if (refused) return 'every value is refused, which the target does not do for other filters';
  if (unmatched) {
    return 'a value that events show keeps none of them. Either the target does not filter by it as it should, or the file shows these values otherwise than the filter takes them (EXPORT_FILTER_VALUES can give them)';
  }
  return keptAll
    ? 'a value keeps all events, though others are shown. Either the target ignores the filter, or what events show are not its values (EXPORT_FILTER_VALUES can give them)'
    : 'no value was found that keeps a part of the events. Either none occurs in the window (EXPORT_FILTER_VALUES can give some, EXPORT_RANGE_START a longer one), or the target does not filter by it';
}

/** What is known of email. Users are named by their ids, for addresses are personal data. */
function emailChecks(mailbox: NonNullable<CheckUp['mailbox']>, settings: Settings): Check[] {
  const { userIds, assignedByIds } = settings;
  const book = new AddressBook(settings);
  const isKnown = (id: string): boolean => book.of({ type: 'USER', id }).length > 0;
  const withoutAddress = userIds.filter((id) => !isKnown(id));
  const known = userIds.length - withoutAddress.length;
  const shared = known > usersWithEmail(settings).length ? ', some of them the same' : '';
  const lacking = withoutAddress.length === 0 ? '' : `, and lacks ${listed(withoutAddress, 4)}`;
  const teams = teamsWithEmail(settings).map((team) => ({ ...team, size: book.of(team).length }));
  return present(
    typeof mailbox === 'string'
      ? bad(mailbox)
      : ok(
          `${mailbox.kind} at ${settings.mailbox?.url}: ${counted(mailbox.messages, 'message')} to the configured addresses`,
        ),
    okOrNote(
      known > 1 && lacking === '',
      `USER_EMAILS has the addresses of ${known} of ${userIds.length} users${shared}${lacking}`,
    ),
    ...teams.map(({ id, size }) =>
      size > 1
        ? ok(`team ${id}: ${size} members`)
        : note(`team ${id}: one member, which shows little about the others`),
    ),
    teams.length === 0 && note('TEAM_EMAILS has the members of none of the teams'),
    !assignedByIds.slice(0, 1).some(isKnown) &&
      note('USER_EMAILS lacks ASSIGNED_BY_ID: copies to the assigner are not observed'),
  );
}

function clauseChecks(clauses: CheckUp['clauses']): Check[] {
  const { all, verdicts, open, leftOut } = tallyOf({ clauses });
  const lacking = (what: string, verdict: ToldVerdict): Check[] =>
    byLacks(clauses.filter((one) => toldVerdict(one) === verdict)).flatMap(
      ({ lacks, reasons, clauses: members }) =>
        lacks.length === 0
          ? []
          : note(`${reasonsText(reasons)} ${what}: ${members.map(({ id }) => id).join(', ')}`),
    );
  const besides = leftOut === 0 ? '' : `; ${counted(leftOut, 'clause')} left out (EXCEPT)`;
  return [
    ok(`${all - verdicts['not judged']} of ${counted(all, 'clause')} can be judged${besides}`),
    ok(`${open.observed} of ${counted(open.all, 'open point')} can be observed`),
    ...lacking('Not looked at', 'not judged'),
    ...lacking('Judged in part', 'upheld in part'),
  ];
}
