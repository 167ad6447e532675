import type { Seen } from '../../runner/scenario.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import { isTieUsual, mayBeOfIt, tieOf } from './attribution.ts';
import type { Chapter, Told } from './story.ts';

type Observe = (told: Told) => readonly Seen[];

/** What arrived in a chapter and is not known to tell of something else. */
function emailsOf(chapter: Chapter, told: Told): Chapter['heard']['arrivals'] {
  const isUsual = isTieUsual(told.rounds.flat());
  return chapter.heard.arrivals.filter((one) => {
    const tie = tieOf(one, chapter, isUsual);
    return mayBeOfIt(tie) && !(tie === 'unknown' && isUsual);
  });
}

const chaptersOf = (told: Told, ...deeds: readonly Chapter['deed'][]): Chapter[] =>
  told.rounds.flat().filter(({ deed }) => deeds.includes(deed));

const assigning = (told: Told): Chapter[] => chaptersOf(told, 'assignment', 'reassignment');

/** What is to be seen of email that the document leaves open. */
export const observes = {
  'notification.copy-to-the-assigner': (told) => {
    const { assigner } = told;
    if (assigner === undefined) return [];
    const meant = assigning(told).filter(({ addresses }) => !addresses.includes(assigner));
    return meant.map((chapter) =>
      emailsOf(chapter, told).some(({ recipients }) => recipients.includes(assigner))
        ? 'the assigner gets a copy'
        : 'the assigner gets none',
    );
  },
  'notification.of-an-unassignment': (told) =>
    chaptersOf(told, 'unassignment').map((chapter) =>
      emailsOf(chapter, told).length > 0 ? 'somebody gets email' : 'nobody gets email',
    ),
  'notification.content': (told) =>
    assigning(told).flatMap((chapter) =>
      emailsOf(chapter, told).map(({ text }) => {
        const comment = chapter.marks.some((mark) => text.includes(mark));
        const task = text.toLowerCase().includes(chapter.taskId.toLowerCase());
        return `${comment ? 'shows' : 'does not show'} the comment, ${task ? 'names' : 'does not name'} the task`;
      }),
    ),
  'notification.messages-to-a-team': (told) =>
    assigning(told)
      .filter(({ to, addresses }) => to?.type === 'TEAM' && addresses.length > 1)
      .flatMap((chapter) => {
        const counts = emailsOf(chapter, told).map(
          ({ recipients }) => chapter.addresses.filter((one) => recipients.includes(one)).length,
        );
        if (counts.length === 0) return [];
        return counts.every((count) => count <= 1) ? 'one each' : 'one for several';
      }),
  'notification.delay': (told) =>
    assigning(told)
      .filter((chapter) => emailsOf(chapter, told).length > 0)
      .map(({ heard }) => delay(heard.waitedMs)),
} satisfies { readonly [Id in OpenClause]?: Observe };

/** Coarse, so that a busy network is not taken for another service. */
function delay(milliseconds: number): string {
  return milliseconds < 15_000 ? 'within 15 seconds' : 'after more than 15 seconds';
}
