import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { scenario } from '../../runner/scenario.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { ExportOutcome, Observation } from '../../schemas/observations.ts';
import { expectStatus, requireTwin, unlikeStatus } from '../expectations.ts';

/** Values of single parameters that the document does not describe, by their open clause. */
const values = {
  'export.unknown-metadata-key': [['metadata[no_such_key]', 'x']],
  'export.unknown-locale': [
    ['locale', 'xx'],
    ['locale', 'en-US'],
    ['locale', 'EN'],
  ],
  'export.unknown-timezone': [
    ['timezone', 'Nowhere/Nothing'],
    // A name that was replaced by another one: IANA keeps it as a link.
    ['timezone', 'Asia/Calcutta'],
  ],
  'export.unknown-file-type': [
    ['file_type', 'xlsx'],
    ['file_type', 'CSV'],
  ],
  'errors.further-statuses': [['no_such_parameter', 'x']],
} as const satisfies { readonly [Id in OpenClause]?: readonly (readonly [string, string])[] };

/** Ways to write that there is no bound, or no time zone. */
const nulls = [
  ['range_start', ''],
  ['range_start', 'null'],
  ['timezone', ''],
  ['timezone', 'null'],
] as const;

type Parameter = Observation<'export.unknown-locale'>;

/** What came of a value of a parameter, and the answer that shows it. */
interface Asked extends Parameter {
  readonly answer: Answer;
}

const fact = ({ parameter, value, outcome }: Asked): Parameter => ({ parameter, value, outcome });

const day = 24 * 60 * 60 * 1000;

const parameters = scenario({
  name: 'unknown metadata keys, locales, time zones and file types, and empty or malformed bounds',
  async act({ exports }) {
    const { window, base, columns } = await exports.knowledge();
    const { sample } = window;
    const { table } = base;
    const whole = await exports.within(sample);
    const all = whole.table?.count ?? 0;
    const ask = async ([parameter, value]: readonly [string, string]): Promise<Asked> => {
      const download = await exports.within({ ...sample, further: { [parameter]: value } });
      return { parameter, value, outcome: outcomeOf(download, all), answer: download.answer };
    };
    const askBound = async ([parameter, value]: readonly [string, string]): Promise<Asked> => {
      const query = { ...sample, further: { [parameter]: value } };
      return { parameter, value, ...(await outcomeOfBound(exports, query, all, table)) };
    };
    const askType = async (): Promise<Asked> => {
      const value = 'no_such_type';
      const download = await exports.within({ ...sample, filters: { event_type: [value] } });
      const { answer } = download;
      return { parameter: 'event_type', value, outcome: outcomeOf(download, all), answer };
    };
    const lastDay = Math.floor(window.end / day) * day;
    const isShown = lastDay > window.start && lastDay < window.end;
    const [open, nullBounds, malformed, malformedEnd, ofDay, unknownType] = await Promise.all([
      Promise.all(
        Object.entries(values).map(async ([id, tried]) => [id, await Promise.all(tried.map(ask))]),
      ),
      Promise.all(nulls.map(askBound)),
      askBound(['range_start', 'not-a-time']),
      askBound(['range_end', 'not-a-time']),
      isShown && table.count > 0
        ? outcomesOfDay(exports, lastDay, window.end, { table, columns })
        : [],
      all > 0 ? askType() : undefined,
    ]);
    // Object.fromEntries forgets its keys.
    const asked = Object.fromEntries(open) as Record<keyof typeof values, Asked[]>;
    return { whole, asked, nullBounds, malformed: [malformed, malformedEnd], ofDay, unknownType };
  },
  judges: {
    'errors.invalid-export-is-400': ({ whole, asked, malformed }) => {
      requireTwin(whole.answer, 'the same export without that value');
      const types = asked['export.unknown-file-type'].filter(({ value }) => value === 'xlsx');
      for (const one of [...malformed, ...types]) {
        expectStatus(one.answer, 400, `an export with ${one.parameter}=${one.value}`);
      }
    },
    'errors.odd-value-is-no-server-error': ({ whole, asked, nullBounds, malformed }) => {
      requireTwin(whole.answer, 'the same export without that value');
      for (const one of [...Object.values(asked).flat(), ...nullBounds, ...malformed]) {
        if (one.answer.status < 500) continue;
        throw unlikeStatus(
          `an export with ${one.parameter}=${one.value}`,
          '200 or 4xx',
          one.answer,
          {
            on: [whole.answer],
          },
        );
      }
    },
  },
  observes: {
    ...Object.fromEntries(
      Object.keys(values).map((id) => [
        id,
        ({ asked }: { asked: Record<string, readonly Asked[]> }) => (asked[id] ?? []).map(fact),
      ]),
    ),
    'audit.classification-values': ({ unknownType }) =>
      unknownType === undefined ? [] : [fact(unknownType)],
    'export.null-range': ({ nullBounds }) => nullBounds.map(fact),
    'export.malformed-range': ({ malformed, ofDay }) => [...malformed.map(fact), ...ofDay],
  },
});

/** @param all how many events there are without the parameter */
function outcomeOf({ answer, table }: CsvDownload, all: number): ExportOutcome {
  const { status } = answer;
  if (status !== 200 || table === undefined) return { status };
  if (answer.text.startsWith('%PDF-')) return { status, gives: 'a PDF' };
  if (table.count === all) return { status, gives: 'the same events' };
  return { status, gives: table.count === 0 ? 'no events' : 'other events' };
}

/** A bound that is ignored leaves at least the events that there are with it; how many more does not matter. */
async function outcomeOfBound(
  exports: Exports,
  query: ExportQuery,
  all: number,
  like: CsvTable,
): Promise<Pick<Asked, 'outcome' | 'answer'>> {
  const download = await exports.csv(query, { max: all, like });
  const isMore = download.overflowed || (download.table?.count ?? 0) >= all;
  const { answer } = download;
  const { status } = answer;
  const outcome: ExportOutcome =
    status === 200 && isMore ? { status, gives: 'as without it' } : outcomeOf(download, all);
  return { outcome, answer };
}

/** What bounds at the beginning of a day give that leave out what ISO 8601 lets them leave out. */
async function outcomesOfDay(
  exports: Exports,
  start: number,
  end: number,
  { table: like, columns: { times } }: Pick<Knowledge, 'columns'> & { readonly table: CsvTable },
): Promise<Observation<'export.malformed-range'>[]> {
  const count =
    times === undefined
      ? ((await exports.within({ start })).table?.count ?? 0)
      : times.instants.filter((at) => at >= start).length;
  const day = new Date(start).toISOString().slice(0, 10);
  const more = count + 1;
  const ask = async (value: string, text: string) => {
    const { outcome } = await outcomeOfBound(exports, { start: text, end }, more, like);
    const isRead = outcome.gives === 'other events';
    const read: ExportOutcome = isRead ? { ...outcome, gives: 'from that day on' } : outcome;
    return { parameter: 'range_start', value, outcome: read };
  };
  return await Promise.all([ask('a day', day), ask('no seconds', `${day}T00:00Z`)]);
}

export const openRequests = [parameters];
