import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { dawn, longAgo } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { judgesBy, ofExport } from '../answers.ts';
import { unlikeStatus } from '../expectations.ts';
import { contentType } from './csv-observations.ts';

/** How many events of a file are read: enough to see whether it is a CSV. */
const fewEvents = 200;

interface Plain {
  /** The export without any parameter. */
  readonly plain: CsvDownload;
  /** Further exports, which tell why `plain` is no CSV; undefined where it is one. */
  readonly doubts: Doubts | undefined;
}

interface Doubts {
  /** The range `longAgo`, which holds no events. */
  readonly small: CsvDownload;
  readonly smallCsv: CsvDownload;
  /** All events there are, by both bounds. */
  readonly whole: CsvDownload;
  readonly csv: CsvDownload;
}

const noParameters = scenario({
  name: 'an export without any parameter',
  async act({ exports, now }): Promise<Plain> {
    const ask = (query: ExportQuery) => exports.csv(query, { max: fewEvents });
    const plain = await ask({});
    const { status, text } = plain.answer;
    if (status === 200 && nonCsvType(text) === undefined) return { plain, doubts: undefined };
    const [small, smallCsv, whole, csv] = await Promise.all([
      ask(longAgo),
      ask({ ...longAgo, fileType: 'csv' }),
      ask({ start: dawn, end: now() }),
      ask({ fileType: 'csv' }),
    ]);
    return { plain, doubts: { small, smallCsv, whole, csv } };
  },
  judges: {
    ...judgesBy(ofExport, ({ plain, doubts }: Plain) => (isTooLarge(doubts) ? [] : [plain.answer])),
    'export.parameters-are-optional': ({ plain: { answer }, doubts }) => {
      if (answer.status === 401) throw new Inconclusive('The key was not accepted.', [answer]);
      if (isTooLarge(doubts)) throw tooLarge();
      // That the status is 200, and no other success, has a clause of its own.
      if (answer.succeeded) return;
      throw unlikeStatus('an export without any parameter', '200', answer);
    },
    'export.file-type-defaults-to-csv': ({ plain: { answer }, doubts }) => {
      if (isTooLarge(doubts)) throw tooLarge();
      const isNeeded = doubts?.small.answer.status === 400 && doubts.smallCsv.answer.status === 200;
      if (!answer.succeeded && !isNeeded) {
        throw new Inconclusive(`The export gave ${answer.status}.`, [answer]);
      }
      const kind = isNeeded ? `${answer.status}` : nonCsvType(answer.text);
      if (kind === undefined) return;
      throw new Violation({ kind: 'other', wrong: 'is no CSV by default', actual: kind }, [answer]);
    },
    'export.csv-is-one-table': ({ plain, doubts }) => {
      if (isTooLarge(doubts)) throw tooLarge();
      const { answer } = doubts?.csv ?? plain;
      if (answer.status !== 200)
        throw new Inconclusive(`The export gave ${answer.status}.`, [answer]);
      const kind = nonCsvType(answer.text);
      if (kind === undefined) return;
      throw new Violation({ kind: 'other', wrong: 'is not one table', actual: kind }, [answer]);
    },
  },
  observes: {
    'export.csv-content-type': ({ plain: { answer } }) => contentType(answer),
    'limits.rate': ({ plain: { answer } }) => {
      const names = answer.headers.map(([name]) => name.toLowerCase());
      const aboutRate = names.filter((name) => /rate-?limit/.test(name));
      return aboutRate.length === 0 ? [{ header: null }] : aboutRate.map((header) => ({ header }));
    },
  },
});

/** Whether all events are refused by both bounds too, and a small range is not: how large a CSV may be is open. */
function isTooLarge(doubts: Doubts | undefined): boolean {
  return doubts?.whole.answer.status === 400 && doubts.small.answer.status === 200;
}

function tooLarge(): NotJudged {
  return new NotJudged('All events together are more than the target exports in one file.');
}

interface PlainRange {
  readonly range: CsvDownload;
  /** The same range with bounds without fractional digits; undefined unless the first export was refused. */
  readonly short: CsvDownload | undefined;
}

const plainRange = scenario({
  name: 'a range that holds no events is exported',
  async act({ exports }): Promise<PlainRange> {
    const inUtc = await exports.csv({ ...longAgo, timezone: 'UTC' });
    if (inUtc.answer.status === 200) return { range: inUtc, short: undefined };
    const bound = new Date(longAgo.start).toISOString().replace('.000', '');
    const [range, short] = await Promise.all([
      exports.csv(longAgo),
      exports.csv({ start: bound, end: bound }),
    ]);
    return { range, short };
  },
  judges: {
    'export.range-bounds-are-instants': ({ range, short }) => {
      if (short?.answer.status !== 200 || range.answer.status === 200) {
        throw new NothingSeen();
      }
      throw unlikeStatus('a bound with fractional digits', '200', range.answer, {
        on: [short.answer],
      });
    },
    ...judgesBy(ofExport, ({ range }: PlainRange) => [range.answer]),
  },
  observes: {
    'export.csv-form': ({ range: { table } }) =>
      table === undefined ? [] : [{ emptyWithoutEvents: table.bytes === 0 }],
  },
});

export const exportsWithoutParameters = [noParameters, plainRange];
