import { whyNothingMatches } from '../contract/selection.ts';
import { UsageError } from '../helpers/errors.ts';
import { groupBy } from '../helpers/maps.ts';
import { suiteVersion } from '../helpers/version.ts';
import { listSection, type Report } from '../reports/blocks.ts';
import { jsonText } from '../reports/printable.ts';
import { counted } from '../reports/wording.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { clauseIds, clauseOf } from '../schemas/clauses.ts';
import { type Catalogue, catalogueSchema } from '../schemas/files.ts';
import { scenarios } from '../suites/index.ts';
import { command } from './command.ts';
import { print } from './terminal.ts';

type ListedClause = Catalogue['clauses'][number];

export const clauses = command({
  summary:
    'lists the clauses of the document, all of them or those that a word or the beginning of an id finds: level, text, and the scenarios that look at them',
  operands: '[WORD ...]',
  options: {
    json: { about: 'as JSON, with the version of the suite, for programs' },
  },
  async run({ json = false }, operands) {
    const all = listClauses(scenarios);
    const listed = searched(all, operands);
    if (listed.length === 0) {
      throw new UsageError(whyNothingMatches(operands.join(' '), scenarios));
    }
    if (json) process.stdout.write(jsonText(catalogueOf(listed)));
    else print(clausesReport(listed));
    return 0;
  },
});

/** The clauses as `clauses --json` prints them. */
export function catalogueOf(listed: readonly ListedClause[]): Catalogue {
  return { $schema: catalogueSchema.$id, suite: suiteVersion, clauses: [...listed] };
}

/** The whole catalogue, in the document's order. */
export function listClauses(known: readonly AnyScenario[]): ListedClause[] {
  return clauseIds.map((id) => ({
    id,
    ...clauseOf(id),
    scenarios: known.filter((one) => clauseIdsOf(one).includes(id)).map(({ name }) => name),
  }));
}

/** The clauses with every word in their id, text, heading or level; if there are none, names of scenarios count too. */
export function searched(
  listed: readonly ListedClause[],
  words: readonly string[],
): readonly ListedClause[] {
  const matching = (textsOf: (clause: ListedClause) => readonly string[]) =>
    listed.filter((clause) => {
      const texts = textsOf(clause).map((one) => one.toLowerCase());
      return words
        .map((word) => word.toLowerCase())
        .every((word) =>
          // `task.` is the beginning of an id, and not the end of a sentence.
          word.endsWith('.') ? clause.id.startsWith(word) : texts.some((one) => one.includes(word)),
        );
    });
  const fields = ({ id, text, section, level }: ListedClause) => [id, text, section, level];
  const found = matching(fields);
  return found.length > 0 ? found : matching((clause) => [...fields(clause), ...clause.scenarios]);
}

/** The catalogue as a report, section by section. */
export function clausesReport(listed: readonly ListedClause[]): Report {
  const testable = listed.filter(({ untestable }) => untestable === undefined);
  const [stated = 0, implied = 0, open = 0] = ['stated', 'implied', 'open'].map(
    (wanted) => testable.filter(({ level }) => level === wanted).length,
  );
  return {
    kind: 'Clauses',
    title: `${counted(stated + implied, 'clause')} to be judged: ${stated} stated, ${implied} implied; ${counted(open, 'open point')}; ${listed.length - testable.length} untestable`,
    facts: [],
    sections: Array.from(
      groupBy(listed, ({ section }) => section),
      ([heading, own]) =>
        listSection(
          heading,
          own.map(({ id, level, text, untestable, scenarios: names }) => [
            [{ clauses: [id] }, ` (${level})`],
            [text],
            ...(untestable === undefined ? [] : [[`Untestable: ${untestable}`]]),
            ...names.map((name) => [`- ${name}`]),
          ]),
        ),
    ),
  };
}
