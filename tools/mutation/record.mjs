import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/*
 * results.json: of each mutated file how many mutants came to what, and the survivors.
 * classes.json: what people found out about survivors, by the line that they change.
 * survivors.md: both, to be read.
 */

const here = new URL('./', import.meta.url);

/**
 * @typedef {object} Survivor
 * @property {string} line the line that it begins on
 * @property {string} mutator
 * @property {string} now what the mutant has in place of it, or of a part of it
 * @property {readonly string[]} differences clauses of which another verdict was given or something else was observed
 *
 * @typedef {object} FileResult
 * @property {number} noticed killed, or timed out
 * @property {number} notReached of these no test runs the code
 * @property {readonly Survivor[]} survivors
 *
 * @typedef {Readonly<Record<string, FileResult>>} MutationResults by file
 * @typedef {Readonly<Record<string, Readonly<Record<string, string>>>>} Classes by file and line: the class, and why
 *
 * @typedef {{ readonly files: Readonly<Record<string, {
 *   readonly source: string,
 *   readonly mutants: readonly {
 *     readonly id: string, readonly status: string, readonly mutatorName: string, readonly replacement?: string,
 *     readonly location: { readonly start: { readonly line: number } }
 *   }[]
 * }>> }} Report
 */

/**
 * Adds the report of Stryker to the results, and writes them.
 * @param {Report} report
 * @param {string} notes file in which the runner of the contract says what differed, one line a mutant
 */
export function record({ files }, notes) {
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
  /** @type {Map<string, readonly string[]>} */
  const differences = new Map(
    lines.filter(Boolean).map((line) => {
      const note = JSON.parse(line);
      return [note.id, note.differences];
    }),
  );
  /** @type {Record<string, FileResult>} */
  const results = { ...read('results.json') };
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const sourceLines = source.split('\n');
    const with_ = (/** @type {string[]} */ ...statuses) =>
      mutants.filter(({ status }) => statuses.includes(status));
    results[file] = {
      noticed: with_('Killed', 'Timeout', 'RuntimeError').length,
      notReached: with_('NoCoverage').length,
      survivors: with_('Survived').map((mutant) => ({
        line: shortened(sourceLines[mutant.location.start.line - 1] ?? ''),
        mutator: mutant.mutatorName,
        now: shortened(mutant.replacement ?? ''),
        differences: differences.get(mutant.id) ?? [],
      })),
    };
  }
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(new URL('results.json', here), `${JSON.stringify(sorted, null, 1)}\n`);
  writeFileSync(new URL('survivors.md', here), survivorsPage(sorted, read('classes.json')));
}

/** @param {string} name */
function read(name) {
  const file = new URL(name, here);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** @param {string} text */
function shortened(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** The classes of survivors, and what each means. */
export const meanings = {
  equivalent: 'no request shows a difference, or nobody who calls the service can cause one',
  unused: 'only variants, faults and profiles take this way: the plain service does not',
  open: 'the document leaves it open; the run observes something else, or a variant shows it',
  incomplete: 'some clauses are not decided: such a run is not green (exit 3)',
  missed: 'a fault that the suite does not notice',
  'not looked at': 'nobody has said yet',
};

/**
 * What a survivor is: observed as something else, not decided, or what people have found out.
 * @param {Survivor} survivor
 * @param {Readonly<Record<string, string>>} known by line: class, a colon, and why
 * @returns {{ name: keyof typeof meanings, why: string }}
 */
export function classOf({ line, differences }, known) {
  const [undecided] = differences.filter((one) => !one.endsWith(': observed'));
  if (differences.length > 0 && undecided === undefined) {
    return { name: 'open', why: differences.slice(0, 2).join(', ') };
  }
  const given = known[line];
  if (given !== undefined) {
    const [name = '', ...why] = given.split(': ');
    if (!(name in meanings)) throw new Error(`classes.json: ${name} is no class (${line})`);
    return { name: /** @type {keyof typeof meanings} */ (name), why: why.join(': ') };
  }
  if (undecided === undefined) return { name: 'not looked at', why: '' };
  return { name: 'incomplete', why: `${differences.length} clauses, such as ${undecided}` };
}

/**
 * The page for people.
 * @param {MutationResults} results
 * @param {Classes} classes
 */
export function survivorsPage(results, classes) {
  const rows = Object.entries(results).map(([file, result]) => {
    const classed = result.survivors.map((survivor) => ({
      survivor,
      ...classOf(survivor, classes[file] ?? {}),
    }));
    return { file, result, classed };
  });
  const names = /** @type {(keyof typeof meanings)[]} */ (Object.keys(meanings));
  const cells = (/** @type {readonly (string | number)[]} */ row) => `| ${row.join(' | ')} |`;
  const counted = (/** @type {typeof rows} */ some) => {
    const sum = (/** @type {(row: (typeof rows)[number]) => number} */ of) =>
      some.reduce((total, row) => total + of(row), 0);
    const noticed = sum(({ result }) => result.noticed);
    const survived = sum(({ classed }) => classed.length);
    return [
      noticed,
      survived,
      percent(noticed, noticed + survived),
      ...names.map((name) =>
        sum(({ classed }) => classed.filter((one) => one.name === name).length),
      ),
      sum(({ result }) => result.notReached),
    ];
  };
  const heads = ['file', 'noticed', 'survived', 'score', ...names, 'not reached'];
  return [
    '# Survivors of mutation',
    '',
    'Written by `npm run mutation`; classes are kept in `classes.json`. Each file stands as it was when it was last mutated.',
    'The score is the share of mutants that are noticed, of those whose code is run at all.',
    '',
    ...names.map((name) => `- **${name}**: ${meanings[name]}`),
    '',
    cells(heads),
    cells(heads.map(() => '---')),
    ...rows.map((row) => cells([`\`${row.file}\``, ...counted([row])])),
    ...['reference/', 'helpers/'].flatMap((directory) => {
      const some = rows.filter(({ file }) => file.startsWith(directory));
      return some.length === 0 ? [] : [cells([`**${directory}**`, ...counted(some)])];
    }),
    '',
    ...rows.flatMap(({ file, classed }) =>
      classed.length === 0
        ? []
        : [
            `## ${file}`,
            '',
            ...classed.map(
              ({ survivor: { line, mutator, now }, name, why }) =>
                `- ${name}${why === '' ? '' : ` (${why})`}: ${code(line)}, ${mutator} ${code(now)}`,
            ),
            '',
          ],
    ),
  ].join('\n');
}

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Text as code in Markdown, whatever backticks it holds. @param {string} text */
function code(text) {
  return text === '' ? 'nothing' : `\`\` ${text} \`\``;
}
