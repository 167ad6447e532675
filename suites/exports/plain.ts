import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { headerNames } from '../shapes.ts';
import { exportAnswerJudges, judgeTables } from './answers.ts';
import {
  classificationValues,
  csvColumns,
  csvForm,
  dateStyle,
  eventFields,
  fileName,
  orderOf,
} from './forms.ts';
import { events, expectEvents, noEvents } from './relations.ts';

/** @throws Violation where the file is a PDF */
function judgeIsCsv(answer: Answer): void {
  if (answer.status !== 200) throw new Inconclusive(`The export gave ${answer.status}.`);
  if (!answer.text.startsWith('%PDF-')) return;
  throw new Violation('an export without file_type', {
    expected: 'CSV',
    actual: 'a PDF',
    on: [answer],
  });
}

const twice = scenario({
  name: 'a closed window of the past is exported twice',
  async act({ exports }) {
    return await exports.knowledge();
  },
  judges: {
    'export.is-repeatable': (knowledge) => {
      const { base, baseDownload, again } = knowledge;
      if (base.count === 0) throw noEvents();
      const expected = events(baseDownload, knowledge);
      expectEvents('the same export, asked for twice', expected, again, knowledge, [
        baseDownload.answer,
      ]);
    },
    'export.csv-is-one-table': ({ baseDownload, again }) => judgeTables([baseDownload, again]),
    ...exportAnswerJudges(
      ({ baseDownload, again }: { baseDownload: CsvDownload; again: CsvDownload }) => [
        baseDownload.answer,
        again.answer,
      ],
    ),
  },
  observes: {
    'export.csv-columns': ({ base }) => csvColumns(base),
    'export.csv-form': ({ base }) => csvForm(base),
    'export.date-style': ({ base, times }) => dateStyle(base, times),
    'export.order-of-events': orderOf,
    'export.file-name': ({ baseDownload }) => fileName('csv', baseDownload.answer),
    'export.array-encoding': ({ working, heard }) =>
      working.length > 0 ? working : heard.map((encoding) => `${encoding}, for one value`),
    'audit.event-fields': eventFields,
    'audit.classification-values': classificationValues,
    'interface.answer-headers': ({ baseDownload }) =>
      baseDownload.answer.status === 200 ? headerNames('csv', [baseDownload.answer]) : [],
    'limits.csv-size': ({ base }) =>
      base.count > 5000 ? ['more than 5,000 events are exported'] : [],
  },
});

const explicitCsv = scenario({
  name: 'file_type csv is the same as no file_type',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const [without, csv] = await Promise.all([
      exports.within(knowledge.sample),
      exports.within({ ...knowledge.sample, fileType: 'csv' }),
    ]);
    return { knowledge, without, csv };
  },
  judges: {
    'export.file-type-defaults-to-csv': ({ knowledge, without, csv }) => {
      judgeIsCsv(without.answer);
      expectEvents('file_type csv', events(without, knowledge), csv, knowledge, [without.answer]);
    },
    'export.csv-is-one-table': ({ csv }) => {
      if (csv.answer.status !== 200)
        throw new Inconclusive(`The export gave ${csv.answer.status}.`);
      judgeTables([csv]);
    },
    ...exportAnswerJudges(({ csv }: { csv: CsvDownload }) => [csv.answer]),
  },
});

const arrivesWhole = scenario({
  name: 'an exported file arrives whole',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { sample, window, common, encoding } = knowledge;
    // The same downloads as other scenarios ask for: a file that breaks off is what this one looks for.
    return await Promise.all([
      exports.within({ ...sample, fileType: 'csv' }).then(({ answer }) => answer, brokenOff),
      exports
        .pdf({ ...window, ...common, ...sample }, encoding)
        .then(({ answer }) => answer, brokenOff),
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
        throw new Violation('the Content-Length of a file', {
          expected: `${sent} bytes`,
          actual: `${response.size}${failure === undefined ? '' : `, then ${failure}`}`,
          on: file instanceof NoResponse ? [] : [file],
        });
      }
      if (files.some((file) => file instanceof NoResponse)) {
        throw new Inconclusive('A file broke off before its end.');
      }
    },
  },
});

function brokenOff(error: unknown): NoResponse {
  if (error instanceof NoResponse && error.exchange.response?.status === 200) return error;
  throw error;
}

export const plainExports = [twice, explicitCsv, arrivesWhole];
