import type { Exchange } from '../helpers/http/exchange.ts';
import type { Results } from '../schemas/results.ts';
import { shellQuoted } from './commands.ts';
import { answered, renderCurl } from './exchange-text.ts';
import { type Finding, findingsUnder } from './findings.ts';
import { headlineOf } from './headlines.ts';
import { printable, printableLine } from './printable.ts';
import { keyLines, reproductionOf } from './reproduction/reproduction.ts';
import { isOfEmail } from './reproduction/shell.ts';
import type { WaiverReview } from './waivers.ts';
import { exchangeNumbers, exchangesOf, instant, writesText } from './wording.ts';

/*
 * A shell script for each finding, which shows it by itself: it can be read, kept beside a ticket, and run again when the
 * service is said to be fixed.
 */

/** Where the script of a finding stands, in the folder of the reports. */
export function scriptFile(number: number): string {
  return `findings/${number}.sh`;
}

/** The scripts of all findings of which the exchanges are known, by their files. */
export function renderScripts(
  results: Results,
  review: Pick<WaiverReview, 'covered'>,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, string> {
  return new Map(
    findingsUnder(results, review).flatMap(({ finding }, index) => {
      const file = scriptFile(index + 1);
      const text = renderScript(finding, file, results, exchanges);
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
}

function renderScript(
  finding: Finding,
  file: string,
  results: Results,
  exchanges: readonly Exchange[],
): string | undefined {
  const { violation, clauses } = finding;
  const { writes, script } = reproductionOf(finding, results, exchanges) ?? {};
  const steps = script ?? blamedAlone(violation.on[0]?.exchange, results, exchanges);
  if (steps === undefined) return undefined;
  const { target, startedAt } = results;
  const numbers = exchangeNumbers(exchangesOf(violation));
  const about = [
    headlineOf(finding),
    '',
    ...clauses.map(({ id, level, text }) => `Clause ${id} (${level}): ${text}`),
    `Found in the run of ${instant(startedAt)} by "${violation.scenario}", ${numbers} of exchanges.har.`,
    '',
    `bash ${file}                  # shows it at ${target.baseUrl}`,
    ...(script === undefined
      ? []
      : [
          `bash ${file} https://…/v5     # at another base address, or where it is said to be fixed`,
        ]),
    `The key is that of API_KEY, or else of ${target.envFile ?? '.env'}. ${
      writes === undefined ? 'It only reads.' : `It ${writesText(writes)}.`
    }`,
    ...(script !== undefined && isOfEmail(violation)
      ? [
          'The mailbox is that of MAILBOX_URL, found likewise; where curl cannot read it, look there yourself.',
        ]
      : []),
  ];
  const comment = (line: string): string => `# ${printableLine(line)}`.trimEnd();
  const title = `echo ${shellQuoted(printableLine(headlineOf(finding)))}`;
  return `${['#!/usr/bin/env bash', ...about.map(comment), '', title, ...steps].join('\n')}\n`;
}

/** The request that shows a finding, sent again without what came before; undefined where it is not known. */
function blamedAlone(
  number: number | undefined,
  { target }: Results,
  exchanges: readonly Exchange[],
): string[] | undefined {
  const exchange = exchanges.find((one) => one.number === number);
  if (exchange === undefined) return undefined;
  const command = printable(renderCurl(exchange)).split('\n');
  return [
    ...keyLines(target, command),
    '# This shows the request, and not by itself that it is answered wrongly.',
    ...(exchange.request.route === 'blocked'
      ? ['# The run sent it from an address that is not on the allow list (BLOCKED_…): do so too.']
      : []),
    answered(exchange),
    ...command,
  ];
}
