import { leaveOut } from '../contract/selection.ts';
import { firstAnswers, openTarget, warnOfMisspelt } from '../contract/target.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { groupBy } from '../helpers/group-by.ts';
import { suiteVersion } from '../helpers/version.ts';
import { renderOnTerminal } from '../reports/blocks-terminal.ts';
import { bad, type Check, type CheckUp, checksOf, checkUpReport } from '../reports/check-up.ts';
import { jsonText } from '../reports/printable.ts';
import { isOfEveryAnswer, lacksOf } from '../runner/needs.ts';
import { ContractRun } from '../runner/run.ts';
import { clauseIdsOf } from '../runner/scenario.ts';
import { type Unusable, withoutUnusable } from '../runner/unusable.ts';
import { type CheckUpFile, checkUpSchema } from '../schemas/check-up.ts';
import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, environmentUnder, readOptions, targetOptions } from './command.ts';
import { standardOutput } from './terminal.ts';

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
      const topics: ReadonlyMap<string, readonly Check[]> =
        obstacle !== undefined
          ? new Map([['Target', [bad(obstacle)]]])
          : checksOf({
              ...(await run.examine()),
              settings,
              clauses: coverage(withoutUnusable(settings, run.unusable), run.unusable),
            });
      const file = fileOf(settings, topics);
      process.stdout.write(
        json ? jsonText(file) : renderOnTerminal(checkUpReport(topics), standardOutput()),
      );
      return file.isReady ? 0 : 2;
    } finally {
      await close();
    }
  },
};

/** What was found, for programs. */
function fileOf({ target }: Settings, topics: ReadonlyMap<string, readonly Check[]>): CheckUpFile {
  return {
    $schema: checkUpSchema.$id,
    suite: suiteVersion,
    target: target.baseUrl,
    isReady: [...topics.values()].flat().every(({ mark }) => mark !== 'bad'),
    topics: [...topics].map(([topic, findings]) => ({ topic, findings: [...findings] })),
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
