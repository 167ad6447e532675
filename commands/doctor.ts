import { leaveOut } from '../contract/selection.ts';
import { firstAnswers, openTarget, warnOfMisspelt } from '../contract/target.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { suiteVersion } from '../helpers/version.ts';
import { bad, checksOf, checkUpReport } from '../reports/check-up.ts';
import { jsonText } from '../reports/printable.ts';
import { lacksOf } from '../runner/needs.ts';
import { ContractRun } from '../runner/run.ts';
import { type Conclusion, clauseIdsOf, inPart, notConfigured } from '../runner/scenario.ts';
import { withoutUnusable } from '../runner/unusable.ts';
import { clauseResults, conclusionsOfWholeRun } from '../runner/verdicts.ts';
import { type ClauseId, clauseOf } from '../schemas/clauses.ts';
import { checkUpSchema } from '../schemas/files.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { command, environmentUnder, targetOptions } from './command.ts';
import { print } from './terminal.ts';

export const doctor = command({
  summary:
    'looks at everything that is configured, and shows what a run would judge and what it lacks; writes nothing to the target',
  options: {
    ...targetOptions,
    json: { about: 'as JSON, for programs' },
  },
  async run({ json = false, ...values }) {
    const variables = environmentUnder(values);
    warnOfMisspelt();
    const target = await openTarget(variables);
    const { settings } = target;
    try {
      const run = new ContractRun({
        ...target,
        // With this the client refuses every write.
        settings: { ...settings, writes: false },
        scenarios,
        startedAt: new Date(),
      });
      const obstacle = await firstAnswers(settings, run.preflight());
      const topics =
        obstacle !== undefined
          ? [{ topic: 'Target', findings: [bad(obstacle)] }]
          : checksOf({
              ...(await run.examine()),
              settings,
              clauses: possibleVerdicts(settings, run),
            });
      const file = {
        $schema: checkUpSchema.$id,
        suite: suiteVersion,
        target: settings.target.baseUrl,
        isReady: topics.every(({ findings }) => findings.every(({ mark }) => mark !== 'bad')),
        topics,
      };
      if (json) process.stdout.write(jsonText(file));
      else print(checkUpReport(file));
      return file.isReady ? 0 : 2;
    } finally {
      await target.close();
    }
  },
});

/** The clauses with the verdicts of a run on a faultless target; reasons say which settings some of them lack. */
function possibleVerdicts(
  configured: Settings,
  { unusable, exchanges }: ContractRun,
): ClauseResult[] {
  const settings = withoutUnusable(configured, unusable);
  const left = leaveOut(scenarios, settings.except);
  const found = left.scenarios.map((one) => {
    const lacksFor = (some: Pick<typeof one, 'needs'>) => lacksOf(some, settings, unusable);
    const lacks = lacksFor(one);
    const conclusionOf = (id: ClauseId): Conclusion => {
      if (lacks.length > 0) return notConfigured(lacks);
      return clauseOf(id).level === 'open' ? { kind: 'observed', facts: [] } : { kind: 'upheld' };
    };
    const conclusions = new Map(clauseIdsOf(one).map((id) => [id, conclusionOf(id)]));
    return { scenario: one.name, conclusions: inPart(one, conclusions, lacksFor) };
  });
  return clauseResults([...found, ...conclusionsOfWholeRun(exchanges)], left.leftOut);
}
