import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import { type CsvDownload, isPdf } from '../../helpers/exports/downloads.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { listFilters } from '../../schemas/operations.ts';
import { unlikeStatus } from '../expectations.ts';

/** Of one fault, several judges say the same: what they find is one finding then. */
export const narrowedPdf = 'a PDF of the few events that filters leave of more than 5,000';

/**
 * Judges of what the document says of every answer to a valid export request.
 * @param nameOf what a request is of which more can be said than that it is valid
 */
export function exportAnswerJudges<Evidence>(
  given: (evidence: Evidence) => readonly Answer[],
  nameOf: (answer: Answer, evidence: Evidence) => string | undefined = () => undefined,
) {
  const answers = (evidence: Evidence): readonly Answer[] => some(given(evidence));
  return {
    'export.answers-200': (evidence: Evidence) => {
      for (const answer of answers(evidence)) {
        // Whether the key is accepted is a clause of its own.
        if (answer.status === 200 || answer.status === 401) continue;
        const what = nameOf(answer, evidence) ?? 'a valid request';
        throw unlikeStatus(what, '200', answer, { asked: parametersOf(answer) });
      }
    },
    'auth.valid-key-is-accepted': (evidence: Evidence) => {
      for (const answer of answers(evidence)) {
        if (answer.status !== 401) continue;
        throw unlikeStatus('a request with the valid key', '2xx', answer);
      }
    },
    'versioning.paths-are-under-v5': (evidence: Evidence) => {
      // Where the path is served, a filter may be what gets such a status.
      for (const answer of answers(evidence).filter(hasNoFilter)) {
        const elsewhere = [404, 405, 410, 501].includes(answer.status);
        if (!elsewhere && !(answer.status >= 300 && answer.status <= 399)) continue;
        throw unlikeStatus('the path under the base address', '200', answer);
      }
    },
  };
}

/** What a request asks for, the most telling first: nearly all have a range, and dates in UTC. */
export function parametersOf({ exchange }: Answer): string[] {
  const { searchParams } = new URL(exchange.request.url);
  const form: string[] = [];
  const filters: string[] = [];
  const range: string[] = [];
  for (const [name, value] of searchParams) {
    if (name.startsWith('range_')) range.push(name);
    else if (!['file_type', 'locale', 'timezone'].includes(name)) filters.push(name);
    else if (value !== 'UTC') form.push(`${name}=${value}`);
  }
  return [...new Set([...form, ...filters, ...range])];
}

function hasNoFilter({ exchange }: Answer): boolean {
  const { searchParams } = new URL(exchange.request.url);
  const filters: readonly string[] = [...listFilters, 'metadata'];
  return [...searchParams.keys()].every((name) => !filters.includes(name.replace(/\[.*/, '')));
}

/** The same of requests for CSV, of which some do not say so. */
export function csvAnswerJudges<Evidence>(given: (evidence: Evidence) => readonly Answer[]) {
  return {
    ...exportAnswerJudges(given),
    'export.file-type-defaults-to-csv': (evidence: Evidence) => {
      const byDefault = given(evidence).filter(
        ({ status, exchange }) => status === 200 && !/[?&]file_type=/.test(exchange.request.url),
      );
      for (const answer of some(byDefault)) expectNoPdf(answer);
    },
  };
}

/** @throws NothingSeen where there are none */
function some<T>(all: readonly T[]): readonly T[] {
  if (all.length === 0) throw new NothingSeen();
  return all;
}

/** @throws Violation where an export that asks for no file type is a PDF */
export function expectNoPdf(answer: Answer): void {
  if (!isPdf(answer)) return;
  throw new Violation({ kind: 'other', wrong: 'is no CSV by default', actual: 'a PDF' }, [answer]);
}

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
