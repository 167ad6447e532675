import { leaveOut } from '../contract/selection.ts';
import { firstAnswers, openTarget, warnOfMisspelt } from '../contract/target.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { KnownFilter } from '../helpers/exports/known-filters.ts';
import type { Knowledge } from '../helpers/exports/learn.ts';
import { filters } from '../helpers/exports/query.ts';
import { groupBy } from '../helpers/group-by.ts';
import { AddressBook, teamsWithEmail, usersWithEmail } from '../helpers/mail/address-book.ts';
import { suiteVersion } from '../helpers/version.ts';
import {
  bad,
  type CheckUp,
  type EmailFound,
  type ExportsFound,
  type FilterFound,
  type Finding,
  findingsOf,
  renderFindings,
} from '../reports/check-up.ts';
import { jsonText } from '../reports/printable.ts';
import type { Examination } from '../runner/examine.ts';
import { isOfEveryAnswer, lacksOf } from '../runner/needs.ts';
import { ContractRun } from '../runner/run.ts';
import { clauseIdsOf } from '../runner/scenario.ts';

import { type Unusable, withoutUnusable } from '../runner/unusable.ts';

import { type CheckUpFile, checkUpSchema } from '../schemas/check-up.ts';

import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import { sameId } from '../schemas/identifier.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, environmentUnder, readOptions, targetOptions } from './command.ts';
import { columnsOf } from './terminal.ts';

const options = {
  ...targetOptions,
  json: { type: 'boolean', about: 'as JSON, for programs' },
} as const;

export const doctor: Command = {
  summary:
    'looks at everything that is configured, and shows what a run would judge and what it lacks; writes nothing to the target',
  options,
  async run(args) {
    const { json = false, ...values } = readOptions(args, options);
    const variables = environmentUnder(values);
    warnOfMisspelt();
    const { settings, network, openMailbox, close } = await openTarget(variables);
    try {
      const run = new ContractRun({
        // The client refuses every write then.
        settings: { ...settings, writes: false },
        send: network.send,
        openMailbox,
        scenarios,
        startedAt: new Date(),
      });
      const obstacle = await firstAnswers(settings, run.preflight());
      if (obstacle !== undefined) {
        if (json)
          process.stdout.write(jsonText(fileOf(settings, new Map([['Target', [bad(obstacle)]]]))));
        else console.error(obstacle);
        return 2;
      }
      const topics = findingsOf(checkUpOf(await run.examine(), settings, run.unusable));
      const file = fileOf(settings, topics);
      process.stdout.write(
        json ? jsonText(file) : renderFindings(topics, columnsOf(process.stdout)),
      );
      return file.isReady ? 0 : 2;
    } finally {
      await close();
    }
  },
};

/** What was found, for programs. */
function fileOf(
  { target }: Settings,
  topics: ReadonlyMap<string, readonly Finding[]>,
): CheckUpFile {
  return {
    $schema: checkUpSchema.$id,
    suite: suiteVersion,
    target: target.baseUrl,
    isReady: [...topics.values()].flat().every(({ mark }) => mark !== 'bad'),
    topics: [...topics].map(([topic, findings]) => ({ topic, findings: [...findings] })),
  };
}

function checkUpOf(
  examination: Examination,
  settings: Settings,
  unusable: readonly Unusable[],
): CheckUp {
  const { tasks, assessments, exports, mailbox, clockAheadMs } = examination;
  const { target, assignedByIds, userIds, teamIds, writes } = settings;
  return {
    baseUrl: target.baseUrl,
    clockAheadMs,
    tasks,
    assigning: {
      actors: assignedByIds.length,
      users: userIds.length,
      teams: teamIds.length,
      isAllowed: writes,
      misplaced: [
        ...misplaced(tasks, 'USER_IDS', userIds),
        ...misplaced(tasks, 'TEAM_IDS', teamIds),
      ],
    },
    assessments,
    exports: typeof exports === 'string' ? exports : exportsFound(exports),
    email: mailbox === undefined ? undefined : emailFound(mailbox, settings),
    clauses: coverage(withoutUnusable(settings, unusable), unusable),
  };
}

/** The ids of a list to which tasks are assigned as what the other list is of. */
function misplaced(
  tasks: Examination['tasks'],
  variable: 'USER_IDS' | 'TEAM_IDS',
  ids: readonly string[],
): CheckUp['assigning']['misplaced'] {
  const other = variable === 'USER_IDS' ? 'TEAM' : 'USER';
  return ids.flatMap((id) => {
    const shows = tasks.find(({ state }) => {
      const { assigned_to_id: to, assigned_to_type: type } = state?.assignment ?? {};
      return type === other && sameId(to, id);
    });
    return shows === undefined ? [] : [{ variable, id, taskId: shows.id }];
  });
}

function exportsFound({
  window,
  base,
  columns,
  encoding,
  filters: { known },
}: Knowledge): ExportsFound {
  return {
    events: base.table.count,
    columns: base.table.columns,
    window,
    times: columns.times,
    encoding: encoding.forTwoValues.length > 0 ? encoding.best : undefined,
    filters: filters.map((name) => ({
      name,
      values: valuesOf(known.get(name)),
    })),
  };
}

function valuesOf(known: KnownFilter | undefined): FilterFound['values'] {
  if (known === undefined) return 'none';
  const { values, unmatched, keptAll, refused, exchanged } = known;
  if (values.length > 0) return 'known';
  if (exchanged !== undefined) return 'exchanged';
  if (refused !== undefined) return 'refused';
  if (unmatched !== undefined) return 'unmatched';
  return keptAll === undefined ? 'none' : 'all';
}

function emailFound(mailbox: EmailFound['mailbox'], settings: Settings): EmailFound {
  const { userIds, assignedByIds } = settings;
  const book = new AddressBook(settings);
  const isKnown = (id: string): boolean => book.of({ type: 'USER', id }).length > 0;
  return {
    url: settings.mailbox?.url ?? '',
    mailbox,
    users: {
      configured: userIds.length,
      without: userIds.filter((id) => !isKnown(id)),
      distinct: usersWithEmail(settings).length,
    },
    teams: teamsWithEmail(settings).map((team) => ({
      id: team.id,
      members: book.of(team).length,
    })),
    hasAssigner: assignedByIds.slice(0, 1).some(isKnown),
  };
}

/** The clauses that no scenario can look at with these settings, and those that not all can, by what is missing. */
function coverage(settings: Settings, unusable: readonly Unusable[]): CheckUp['clauses'] {
  const left = leaveOut(scenarios, settings.except);
  const looked = clauseIds.filter(
    (id) => clauseOf(id).untestable === undefined && !left.leftOut.includes(id),
  );
  const isOpen = (id: ClauseId): boolean => clauseOf(id).level === 'open';
  const lacking = looked.flatMap((id) => {
    const looking = left.scenarios.filter((scenario) => clauseIdsOf(scenario).includes(id));
    const ofEach = looking.map((scenario) => lacksOf(scenario, settings, unusable));
    const [lacks] = ofEach.filter(({ length }) => length > 0);
    if (lacks === undefined) return [];
    const isMissed = ofEach.every(({ length }) => length > 0);
    return isMissed || !(isOpen(id) || isOfEveryAnswer(id)) ? [{ id, lacks, isMissed }] : [];
  });
  const missed = lacking.filter(({ isMissed }) => isMissed);
  const byLacks = (some: typeof lacking) =>
    [...groupBy(some, ({ lacks }) => JSON.stringify(lacks)).values()].map((group) => ({
      lacks: group[0].lacks,
      ids: group.map(({ id }) => id),
    }));
  const count = (ids: readonly ClauseId[], open: boolean): number =>
    ids.filter((id) => isOpen(id) === open).length;
  const of = (open: boolean) => {
    const all = count(looked, open);
    const ids = missed.map(({ id }) => id);
    return { all, possible: all - count(ids, open) };
  };
  return {
    judged: of(false),
    open: of(true),
    leftOut: count(left.leftOut, false),
    unmet: byLacks(missed),
    inPart: byLacks(lacking.filter(({ isMissed }) => !isMissed)),
  };
}
