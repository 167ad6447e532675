import type { Settings } from '../helpers/config/settings.ts';
import type { Knowledge } from '../helpers/exports/learn.ts';
import { filters } from '../helpers/exports/query.ts';
import { describeAssignment } from '../helpers/tasks/task-answer.ts';
import { printableLine } from '../reports/printable.ts';
import type { Examination } from '../runner/examine.ts';
import { lackOf } from '../runner/needs.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { clauseIds, clauseOf } from '../schemas/clauses.ts';
import { pdfEventLimit } from '../schemas/operations.ts';
import { mailFindings } from './mail-check-up.ts';

/** One thing that was looked at. `bad`: a run would suffer from it. `note`: it would judge less. */
export interface Finding {
  readonly mark: 'ok' | 'note' | 'bad';
  readonly text: string;
}

/** A clock that is further off than this makes windows of the past doubtful. */
const clockToleranceMs = 60_000;

/** What an examination says of the coming run, topic by topic. */
export function checkUp(
  examination: Examination,
  settings: Settings,
  scenarios: readonly AnyScenario[],
): ReadonlyMap<string, readonly Finding[]> {
  const { exports } = examination;
  return new Map([
    ['Target', targetFindings(examination, settings)],
    ['Tasks', taskFindings(examination, settings)],
    ['Assessments', assessmentFindings(examination)],
    [
      'Exports',
      typeof exports === 'string'
        ? [{ mark: 'bad', text: exports } as const]
        : exportFindings(exports),
    ],
    ['Email', mailFindings(examination, settings)],
    ['Clauses', clauseFindings(settings, scenarios)],
  ]);
}

/** The findings for people. Ends with a line feed. */
export function renderCheckUp(topics: ReadonlyMap<string, readonly Finding[]>): string {
  const sign = { ok: '✓', note: '–', bad: '✗' } as const;
  return [...topics]
    .map(([topic, findings]) => {
      const lines = findings.map(({ mark, text }) => `  ${sign[mark]} ${printableLine(text)}\n`);
      return `${topic}\n${lines.join('')}`;
    })
    .join('\n');
}

function targetFindings({ clockAheadMs }: Examination, { target }: Settings): Finding[] {
  const encrypted = target.baseUrl.startsWith('https:');
  const found: Finding[] = [
    { mark: 'ok', text: `${target.baseUrl} answers, and accepts the key` },
    encrypted
      ? { mark: 'ok', text: 'its certificate is trusted' }
      : { mark: 'note', text: 'http: the key travels unencrypted' },
  ];
  if (clockAheadMs === undefined) {
    return [...found, { mark: 'note', text: 'no Date header tells its clock' }];
  }
  const seconds = Math.abs(clockAheadMs) / 1000;
  const how = clockAheadMs < 0 ? 'behind' : 'ahead';
  return Math.abs(clockAheadMs) > clockToleranceMs
    ? [
        ...found,
        { mark: 'bad', text: `its clock is ${seconds} s ${how}: audit events may be missed` },
      ]
    : [...found, { mark: 'ok', text: `its clock differs by ${seconds} s` }];
}

function taskFindings({ tasks }: Examination, settings: Settings): Finding[] {
  if (tasks.length === 0) return [{ mark: 'note', text: 'TASK_IDS: none' }];
  const { userIds, teamIds, writes } = settings;
  const found = tasks.map(({ id, state, why }): Finding => {
    return state === undefined
      ? { mark: 'bad', text: `${id}: ${why}` }
      : { mark: 'ok', text: `${id}: assigned to ${describeAssignment(state.assignment)}` };
  });
  const transitions = [
    userIds.length > 0 && 'to a user',
    userIds.length > 1 && 'from user to user',
    teamIds.length > 0 && 'to a team',
    userIds.length > 0 && teamIds.length > 0 && 'between user and team',
    (userIds.length > 0 || teamIds.length > 0) && 'unassigned',
  ].filter((transition) => transition !== false);
  const allowed = writes ? 'will be' : 'could be, with ALLOW_WRITES=yes,';
  const text =
    transitions.length === 0
      ? 'no transition can be tried: USER_IDS and TEAM_IDS are empty'
      : `tasks ${allowed} assigned ${transitions.join(', ')}`;
  return [...found, { mark: writes && transitions.length === 5 ? 'ok' : 'note', text }];
}

function assessmentFindings({ assessments }: Examination): Finding[] {
  if (assessments.length === 0) return [{ mark: 'note', text: 'ASSESSMENT_IDS: none' }];
  const seen = new Set(assessments.flatMap(({ state }) => state?.workflowState ?? []));
  const missing = ['Active', 'Cancelled', 'Error'].filter((state) => !seen.has(state));
  return [
    ...assessments.map(({ id, state, why }): Finding => {
      return state === undefined
        ? { mark: 'bad', text: `${id}: ${why}` }
        : { mark: 'ok', text: `${id}: ${state.workflowState}` };
    }),
    ...missing.map((state): Finding => ({ mark: 'note', text: `none is in state ${state}` })),
  ];
}

function exportFindings(knowledge: Knowledge): Finding[] {
  const { window, base, columns, encoding } = knowledge;
  const { table } = base;
  const { known } = knowledge.filters;
  const instant = (time: number): string => new Date(time).toISOString();
  const useful = filters.filter((filter) => (known.get(filter)?.values.length ?? 0) > 0);
  const without = filters.filter((filter) => !useful.includes(filter));
  return [
    {
      mark: table.count > 0 ? 'ok' : 'bad',
      text: `${table.count} events from ${instant(window.start)} to ${instant(window.end)}, in ${table.columns} columns`,
    },
    table.count > pdfEventLimit
      ? { mark: 'ok', text: `the limit of a PDF, ${pdfEventLimit} events, can be reached` }
      : { mark: 'note', text: `the limit of a PDF, ${pdfEventLimit} events, cannot be reached` },
    columns.times === undefined
      ? { mark: 'note', text: 'no column can be read as the time of an event' }
      : {
          mark: 'ok',
          text: `column ${columns.times.column + 1} holds the time, to ${columns.times.unit} ms`,
        },
    encoding.forTwoValues.length > 0
      ? { mark: 'ok', text: `lists are sent as ${encoding.best}` }
      : { mark: 'note', text: 'no encoding of lists was found to work' },
    {
      mark: 'ok',
      text: `values are known for ${useful.join(', ') || 'no filter'}`,
    },
    ...(without.length === 0
      ? []
      : [
          {
            mark: 'note',
            text: `no values for ${without.join(', ')}: EXPORT_FILTER_VALUES can give them`,
          } as const,
        ]),
  ];
}

function clauseFindings(settings: Settings, scenarios: readonly AnyScenario[]): Finding[] {
  const judgeable = clauseIds.filter((id) => clauseOf(id).untestable === undefined);
  const looking = (id: string): readonly AnyScenario[] =>
    scenarios.filter((scenario) => clauseIdsOf(scenario).some((one) => one === id));
  const unmet = judgeable.filter((id) =>
    looking(id).every((scenario) => lackOf(scenario, settings) !== undefined),
  );
  const byLack = new Map<string, string[]>();
  for (const id of unmet) {
    const lack = looking(id).map((scenario) => lackOf(scenario, settings))[0] ?? 'No scenario.';
    byLack.set(lack, [...(byLack.get(lack) ?? []), id]);
  }
  return [
    { mark: 'ok', text: `${judgeable.length - unmet.length} of ${judgeable.length} are looked at` },
    ...[...byLack].map(
      ([lack, ids]): Finding => ({
        mark: 'note',
        text: `${lack} Not looked at: ${ids.join(', ')}`,
      }),
    ),
  ];
}
