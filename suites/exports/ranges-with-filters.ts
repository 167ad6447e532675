import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';

/** The exports of an auditee_id that no event has: of all times, and in the window. */
interface Impossible {
  readonly alone: CsvDownload;
  readonly withRange: CsvDownload;
}

/** Judges the exports of learning: it sent each value of a filter with the range of the window. */
const besideTheWindow = scenario({
  name: 'a filter beside the range of the window keeps no events from outside of it',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const areKnown = [...knowledge.filters.known.values()].some(({ values }) => values.length > 0);
    const impossible = areKnown ? undefined : await impossibleFilter(exports, knowledge);
    return { knowledge, impossible };
  },
  judges: {
    'export.range-combines-with-filters': ({ knowledge, impossible }) => {
      const { beyondWindow } = knowledge.filters;
      if (beyondWindow !== undefined) throw violationBeyondRange(beyondWindow);
      if (impossible !== undefined) expectHonoured(impossible);
      throw new NothingSeen();
    },
  },
});

function violationBeyondRange({ query, answer }: CsvDownload): Violation {
  const [parameter = ''] = Object.keys(query.filters ?? {});
  return new Violation(
    { kind: 'other', wrong: 'returns events from outside the range', parameter },
    [answer],
  );
}

/** Asked for where learning found no value of any filter: no export in the window has a filter then. */
async function impossibleFilter(
  exports: Exports,
  { filters: { impossible } }: Knowledge,
): Promise<Impossible> {
  const filters = { auditee_id: [impossible] };
  const [alone, withRange] = await Promise.all([
    exports.anytime({ filters }),
    exports.within({ filters }),
  ]);
  return { alone, withRange };
}

/** @throws Violation where the filter keeps no events alone, and keeps some together with a range */
function expectHonoured({ alone, withRange }: Impossible): void {
  const count = withRange.table?.count ?? 0;
  if (alone.table?.count !== 0 || count === 0) return;
  throw new Violation(
    { kind: 'other', wrong: 'returns events of no value beside a range', count },
    [withRange.answer, alone.answer],
  );
}

export const rangeAndFilterScenarios = [besideTheWindow];
