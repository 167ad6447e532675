import { filterName } from '../../helpers/exports/query.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { requireTwin } from '../expectations.ts';
import { nameOf } from '../shapes.ts';
import { lookFor, type Recorded, type Write } from './recorded-comments.ts';

/** By what audit events are classified (Events). */
export const classification = ['event_type', 'sub_type', 'system_source'] as const;

function trail(
  name: string,
  clause: 'audit.records-assignment-comments' | 'audit.records-unassignment-comments',
  needs: AnyScenario['needs'],
  write: Write,
  records?: 'a reassignment' | 'an unassignment',
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'user', ...(needs ?? [])],
    act: (world) => lookFor(write, world),
    judges: {
      [clause]: ({ answer, found, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        if (found.some(({ rows }) => rows.length > 0)) return;
        throw notFound(found, waitedMs);
      },
      'audit.event-names-its-records': ({ answer, found, waitedMs }: Recorded) => {
        requireTwin(answer, 'the write that is to be recorded');
        const missing = found.filter(({ rows }) => rows.length === 0);
        if (missing.length === found.length)
          throw new Inconclusive('No recorded comment was found.');
        if (missing.length > 0) throw notFound(missing, waitedMs);
      },
      'audit.events-are-classified': ({ found, knowledge }: Recorded) => {
        const [one] = found.filter(({ rows }) => rows.length > 0);
        const [row] = one?.rows ?? [];
        if (one === undefined || row === undefined) {
          throw new Inconclusive('No recorded comment was found.');
        }
        const readers = classification.map((filter) => ({
          filter,
          read: knowledge.filters.get(filter)?.read,
        }));
        const empty = readers.find(({ read }) => read !== undefined && (read(row) ?? '') === '');
        if (empty !== undefined) {
          throw new Violation('the recorded event', {
            expected: `a value of ${empty.filter}`,
            actual: 'none',
            on: [one.download.answer],
          });
        }
        if (readers.every(({ read }) => read === undefined)) {
          throw new NotJudged(
            'Not configured: EXPORT_FILTER_VALUES: values of event_type, sub_type and system_source; no column shows them.',
          );
        }
      },
      'audit.comment-is-kept-to-the-letter': ({ comment, found }: Recorded) => {
        const [one] = found.filter(({ rows }) => rows.length > 0);
        if (one === undefined) throw new Inconclusive('No recorded comment was found.');
        const kept = found.every(
          ({ rows }) =>
            rows.length === 0 || rows.some((row) => row.some((cell) => holds(cell, comment))),
        );
        if (kept) return;
        const cell = one.rows[0]?.find((text) => text.includes(comment.slice(0, 16))) ?? '';
        throw new Violation('the recorded comment', {
          expected: JSON.stringify(comment),
          actual: JSON.stringify(cell.slice(0, 400)),
          on: [one.download.answer],
        });
      },
    },
    observes: {
      'audit.delay': ({ found, waitedMs }: Recorded) =>
        found.every(({ rows }) => rows.length > 0) ? [delay(waitedMs)] : [],
      ...(records !== undefined && {
        'audit.classification-values': ({ found, knowledge }: Recorded) => {
          const [row] = found.flatMap(({ rows }) => rows);
          if (row === undefined) return [];
          return classification.flatMap((filter) => {
            const value = knowledge.filters.get(filter)?.read?.(row);
            return value === undefined ? [] : [`${records}, ${filter}: ${nameOf(value)}`];
          });
        },
      }),
    },
  });
}

/** The comment as it is, or as a text somewhere inside a cell of JSON. */
function holds(cell: string, comment: string): boolean {
  const unified = cell.replaceAll('\r\n', '\n');
  return unified.includes(comment) || textsIn(cell).some((text) => text.includes(comment));
}

function textsIn(json: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(json, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // A cell that is no JSON holds no texts.
  }
  return texts;
}

function notFound(searched: Recorded['found'], waitedMs: number): Violation {
  const where = searched.map(({ filter }) => filterName(filter)).join(', ');
  return new Violation(`the recorded event, looked for under ${where}`, {
    expected: 'an event with the comment',
    actual: `none within ${Math.round(waitedMs / 1000)} s`,
    on: searched.map(({ download }) => download.answer),
  });
}

/** @param waitedMs for looking again; 0 where the first look found everything */
function delay(waitedMs: number): string {
  if (waitedMs === 0) return 'readable at once';
  return waitedMs < 10_000 ? 'readable within ten seconds' : 'readable later';
}

export const auditTrailScenarios = [
  trail(
    'the comment of an assignment is recorded and exported to the letter',
    'audit.records-assignment-comments',
    [],
    async ({ api, tasks, user, actor: by }, comment) => {
      const task = await tasks.any();
      const answer = await api.assign(task, user(), { by, comment });
      return { answer, task };
    },
  ),
  trail(
    'the comment of a reassignment to a team is recorded and exported to the letter',
    'audit.records-assignment-comments',
    ['team'],
    async ({ api, tasks, user, team, actor: by }, comment) => {
      const task = await tasks.assignedTo(user());
      const answer = await api.assign(task, team(), { by, comment });
      return { answer, task };
    },
    'a reassignment',
  ),
  trail(
    'the comment of an unassignment is recorded and exported to the letter',
    'audit.records-unassignment-comments',
    [],
    async ({ api, tasks, user, actor: by }, comment) => {
      const task = await tasks.assigned(user());
      const answer = await api.unassign(task, { by, comment });
      return { answer, task };
    },
    'an unassignment',
  ),
];
