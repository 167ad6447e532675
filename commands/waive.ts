import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseWaivers, readResults, readWaivers, usualWaiversFile } from '../contract/files.ts';
import { statedTarget } from '../contract/target.ts';
import { environment } from '../helpers/config/environment.ts';
import { UsageError } from '../helpers/errors.ts';
import { findingsOf, headlineOf } from '../reports/findings.ts';
import { jsonText, printableLine } from '../reports/printable.ts';
import { extendWaivers } from '../reports/verdicts.ts';
import { listed } from '../reports/wording.ts';
import { command, envOption } from './command.ts';

export const waive = command({
  summary:
    'writes waivers for what runs have found violated (each a results.json, or the folder that holds it; the last whole run unless given) into WAIVERS_FILE, beside those that are there',
  operands: '[RESULTS ...]',
  options: {
    owner: { value: 'NAME', about: 'who sees to it that they end' },
    issue: { value: 'URL', about: 'the issue that tracks them' },
    reason: { value: 'TEXT', about: 'why they are accepted for now' },
    expires: {
      value: 'DATE',
      about: 'the last day on which they hold; 90 days from now unless given',
    },
    ...envOption,
  },
  async run(values, operands) {
    const { owner, issue } = values;
    if (owner === undefined || issue === undefined) {
      throw new UsageError('Who sees to it, and where? waive --owner NAME --issue URL');
    }
    const variables = environment();
    const { reportDir } = statedTarget(variables);
    const runs = await Promise.all((operands.length > 0 ? operands : [reportDir]).map(readResults));
    const file = variables.WAIVERS_FILE?.trim() || usualWaiversFile;
    // A file that does not exist yet is made.
    const known = existsSync(file) ? await readWaivers({ waiversFile: file }) : [];
    const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const [today, usualExpiry] = [dayIn(0).slice(0, 10), dayIn(90).slice(0, 10)];
    const { reason = `Known since ${today}`, expires = usualExpiry } = values;
    const { waivers, violations } = extendWaivers(runs, known, { reason, owner, issue, expires });
    const text = jsonText(waivers);
    if (text === jsonText(known)) {
      process.stdout.write(
        `Nothing to waive: what was found violated has a waiver in ${file}, or nothing is.\n`,
      );
      return 0;
    }
    // Waivers that no run would accept are not written: an issue without an address, a day that does not exist.
    parseWaivers(text, file);
    await writeFile(file, text);
    // A file that is committed holds no values of the target; these lines do.
    const lines = runs
      .flatMap((run) => findingsOf(run, (one) => violations.has(one)))
      .map((finding) => {
        const ids = finding.clauses.map(({ id }) => id);
        return `  ${printableLine(headlineOf(finding))}: ${listed(ids, 8)}\n`;
      });
    process.stdout.write(`Written to ${file}. Waived now:\n${[...new Set(lines)].join('')}`);
    return 0;
  },
});
