import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { bracketStyles } from '../../helpers/exports/encoding.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { expectNoPdf, judgesBy, ofExport } from '../answers.ts';
import { headerNames } from '../shapes.ts';
import {
  classificationValues,
  csvColumns,
  csvForm,
  dateStyle,
  eventFields,
  fileName,
  orderOf,
} from './csv-observations.ts';
import { events, expectEvents, expectServed, judgeTables, noEvents } from './relations.ts';

/** What was learned, with two downloads of the window in `base`, and the window asked for with file_type=csv. */
interface Twice extends Knowledge {
  readonly csv: CsvDownload;
  /** The sample without file_type; asked for only where learning had to send file_type=csv to get a CSV. */
  readonly byDefault: CsvDownload | undefined;
}

/** undefined where learning sent no file_type: then `base` is such an export already. */
async function sampleWithoutFileType(exports: Exports, { window, base }: Knowledge) {
  const { fileType, ...rest } = base.utc;
  return fileType === undefined ? undefined : await exports.csv({ ...rest, ...window.sample });
}

const twice = scenario({
  name: 'a closed window of the past is exported twice, and with file_type=csv',
  async act({ exports }): Promise<Twice> {
    const knowledge = await exports.knowledge();
    // The whole window, because a limit that only one of the two forms has shows among many events.
    const [csv, sample] = await Promise.all([
      exports.within({ fileType: 'csv' }),
      sampleWithoutFileType(exports, knowledge),
    ]);
    return { ...knowledge, csv, byDefault: sample };
  },
  judges: {
    'export.is-repeatable': ({ base: { table, download, again }, columns }) => {
      if (table.count === 0) throw noEvents();
      const expected = events(download, columns);
      const what = 'the same export, asked for twice';
      expectEvents(what, expected, again, columns, { on: [download.answer] });
    },
    'export.file-type-defaults-to-csv': ({ base, columns, csv, byDefault }) => {
      if (byDefault !== undefined) {
        expectNoPdf(byDefault.answer);
        expectServed('no file_type, where csv is served', byDefault);
        const why = 'Without file_type there is no CSV to compare with.';
        throw new Inconclusive(why, [byDefault.answer]);
      }
      const { download: without } = base;
      expectServed('an export with file_type=csv, the default', csv);
      const on = [without.answer];
      expectEvents('file_type=csv', events(without, columns), csv, columns, { on });
    },
    'export.csv-is-one-table': ({ base: { download, again }, csv }) =>
      judgeTables([download, again, csv]),
    ...judgesBy(ofExport, ({ base: { download, again }, csv }: Twice) => [
      download.answer,
      again.answer,
      csv.answer,
    ]),
  },
  observes: {
    'export.csv-columns': ({ base }) => csvColumns(base.table),
    'export.csv-form': ({ base }) => csvForm(base.table),
    'export.date-style': ({ base, columns }) => dateStyle(base.table, columns.dates),
    'export.order-of-events': orderOf,
    'export.file-name': ({ base }) => fileName('csv', base.download.answer),
    'export.array-encoding': ({ encoding: { forOneValue, forTwoValues } }) =>
      forTwoValues.length > 0
        ? forTwoValues.map((one) => ({ encoding: one, values: 'several' as const }))
        : forOneValue.map((one) => ({ encoding: one, values: 'one' as const })),
    'export.brackets-of-metadata': ({ encoding: { brackets } }) =>
      brackets.length === 0
        ? []
        : bracketStyles.map((style) => ({ brackets: style, honoured: brackets.includes(style) })),
    'audit.event-fields': eventFields,
    'audit.classification-values': classificationValues,
    'interface.answer-headers': ({ base: { download } }) =>
      download.answer.status === 200 ? headerNames('csv', [download.answer]) : [],
    'limits.csv-size': ({ base }) =>
      base.table.count > pdfEventLimit ? [{ exportsMoreThan: pdfEventLimit }] : [],
  },
});

const arrivesWhole = scenario({
  name: 'an exported file arrives whole',
  async act({ exports }) {
    const { sample } = (await exports.knowledge()).window;
    // The downloads that other scenarios ask for too. A file that breaks off is what this scenario looks for.
    return await Promise.all([
      exports.within({ fileType: 'csv' }).then(({ answer }) => answer, brokenOff),
      exports.pdfWithin(sample).then(({ answer }) => answer, brokenOff),
    ]);
  },
  judges: {
    'export.content-length-is-true': (files) => {
      for (const file of files) {
        const { response, failure } = file.exchange;
        const sent = response?.headers.find(
          ([name]) => name.toLowerCase() === 'content-length',
        )?.[1];
        if (response?.status !== 200 || sent === undefined) continue;
        if (Number(sent) === response.size && failure === undefined) continue;
        throw new Violation(
          {
            kind: 'other',
            wrong: 'sends another Content-Length',
            expected: sent,
            actual: `${response.size}${failure === undefined ? '' : `, then ${failure.why}`}`,
          },
          file instanceof NoResponse ? [] : [file],
        );
      }
      if (files.some((file) => file instanceof NoResponse)) {
        throw new Inconclusive('A file broke off before its end.');
      }
    },
  },
});

/** The failure, where a file broke off after status 200. @throws any other error as it is */
function brokenOff(error: unknown): NoResponse {
  if (error instanceof NoResponse && error.exchange.response?.status === 200) return error;
  throw error;
}

export const csvScenarios = [twice, arrivesWhole];
