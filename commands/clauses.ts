import { whyNothingMatches } from '../contract/selection.ts';
import { UsageError } from '../helpers/errors.ts';
import { suiteVersion } from '../helpers/version.ts';
import { jsonText } from '../reports/printable.ts';
import { terminal } from '../reports/terminal.ts';
import { counted } from '../reports/wording.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { type Catalogue, catalogueSchema } from '../schemas/catalogue.ts';
import type { Clause } from '../schemas/clause.ts';
import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, readArguments } from './command.ts';
import { columnsOf } from './terminal.ts';

/** A clause with the scenarios that judge or observe it. */
export interface ListedClause extends Clause {
  readonly id: ClauseId;
  readonly scenarios: readonly string[];
}

const options = {
  json: { type: 'boolean', about: 'as JSON, with the version of the suite, for programs' },
} as const;

export const clauses: Command = {
  summary:
    'lists the clauses of the document, all of them or those that a word or the beginning of an id finds: level, text, and the scenarios that look at them',
  operands: '[WORD ...]',
  options,
  async run(args) {
    const { values, operands } = readArguments(args, options);
    const { json = false } = values;
    const all = listClauses(scenarios);
    const listed = searched(all, operands);
    if (listed.length === 0) {
      throw new UsageError(whyNothingMatches(operands.join(' '), scenarios));
    }
    const width = columnsOf(process.stdout);
    process.stdout.write(json ? jsonText(catalogueOf(listed)) : renderList(listed, width));
    return 0;
  },
};

/** The clauses for programs. */
export function catalogueOf(listed: readonly ListedClause[]): Catalogue {
  return {
    $schema: catalogueSchema.$id,
    suite: suiteVersion,
    clauses: listed.map(({ scenarios: names, ...clause }) => ({
      ...clause,
      scenarios: [...names],
    })),
  };
}

/** The whole catalogue, in the document's order. */
export function listClauses(known: readonly AnyScenario[]): ListedClause[] {
  return clauseIds.map((id) => ({
    id,
    ...clauseOf(id),
    scenarios: known.filter((one) => clauseIdsOf(one).includes(id)).map(({ name }) => name),
  }));
}

/** The clauses in which every word stands: in the id, the text or the heading; in none of them, in names of their scenarios. */
export function searched(
  listed: readonly ListedClause[],
  words: readonly string[],
): readonly ListedClause[] {
  const holding = (textsOf: (clause: ListedClause) => readonly string[]) =>
    listed.filter((clause) => {
      const texts = textsOf(clause).map((one) => one.toLowerCase());
      return words
        .map((word) => word.toLowerCase())
        .every((word) =>
          // `task.` is the beginning of an id, and no end of a sentence.
          word.endsWith('.') ? clause.id.startsWith(word) : texts.some((one) => one.includes(word)),
        );
    });
  const own = ({ id, text, section, level }: ListedClause) => [id, text, section, level];
  const found = holding(own);
  return found.length > 0 ? found : holding((clause) => [...own(clause), ...clause.scenarios]);
}

/** The catalogue for people, section by section. Ends with a line feed. */
export function renderList(listed: readonly ListedClause[], width: number): string {
  const { wrap } = terminal({ color: false, width });
  const indent = ' '.repeat(4);
  const sections = new Set(listed.map(({ section }) => section));
  const lines = [...sections].flatMap((heading) => [
    heading,
    ...listed
      .filter(({ section }) => section === heading)
      .flatMap(({ id, level, text, untestable, scenarios: names }) => [
        `  ${id} (${level})`,
        ...wrap(text, indent),
        ...(untestable === undefined ? [] : wrap(`Untestable: ${untestable}`, indent)),
        ...names.flatMap((name) => wrap(name, `${indent}- `, `${indent}  `)),
      ]),
    '',
  ]);
  const count = (test: (clause: ListedClause) => boolean): number => listed.filter(test).length;
  const judged = (['stated', 'implied'] as const).map(
    (level) => `${count((clause) => clause.level === level && !clause.untestable)} ${level}`,
  );
  const untestable = count((clause) => clause.untestable !== undefined);
  const open = count(({ level, untestable: why }) => level === 'open' && why === undefined);
  const clauses = count(({ level, untestable: why }) => level !== 'open' && why === undefined);
  return [
    ...lines,
    `${counted(clauses, 'clause')} to be judged: ${judged.join(', ')}; ${counted(open, 'open point')}; ${untestable} untestable`,
    '',
  ].join('\n');
}
