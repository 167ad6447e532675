import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import { type CsvDownload, isPdf } from '../../helpers/exports/downloads.ts';
import { Violation } from '../../helpers/outcomes.ts';

/** Of one fault, several judges say the same: what they find is one finding then. */
export const narrowedPdf = 'a PDF of the few events that filters leave of more than 5,000';

/** Judge of CSV files that were answered: each reads as one table. */
export function judgeTables(downloads: readonly Pick<CsvDownload, 'answer' | 'table'>[]): void {
  for (const { answer, table } of downloads) {
    if (table === undefined && !isPdf(answer)) continue;
    const [problem] = table?.problems ?? [];
    const actual = nonCsvType(answer.text) ?? problem;
    if (actual === undefined) continue;
    throw new Violation({ kind: 'other', wrong: 'is not one table', actual }, [answer]);
  }
}
