import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { judgeEach, requireAccepted, requireTwin } from '../expectations.ts';
import { isRefused } from '../stretches.ts';
import { isBusy, isTieUsual, mayBeOfIt, straysOf, type Tie, tieOf } from './attribution.ts';
import type { Chapter, Deed, Round, Told } from './story.ts';

type Judge = (told: Told) => void;

const othersEmail =
  'The mailbox also gets email that nothing ties to these writes, of somebody else’s doing.';

const takenOut = 'Somebody took messages out of the mailbox while email was waited for.';

const chaptersOf = ({ rounds }: Told): Chapter[] => rounds.flat();

/** Judges that each person to whom a task went, by this deed, got email of it. */
export function everybodyGetsEmail(deed: Deed, type: 'USER' | 'TEAM' | 'any'): Judge {
  return (told) => {
    const meant = chaptersOf(told).filter(
      (one) => one.deed === deed && (type === 'any' || one.to?.type === type),
    );
    if (meant.length === 0) throw new Inconclusive(`There was no ${deed} to look at.`);
    judgeEach(meant, (chapter) => expectEmail(chapter, told));
  };
}

function expectEmail(chapter: Chapter, told: Told): void {
  const { answers, addresses, heard, to, deed } = chapter;
  for (const answer of answers) requireAccepted(answer);
  const isUsual = isTieUsual(chaptersOf(told));
  const tiesTo = (address: string) =>
    heard.arrivals
      .filter(({ recipients }) => recipients.includes(address))
      .map((arrival) => tieOf(arrival, chapter, isUsual));
  const missing = addresses.filter((address) => !tiesTo(address).some(mayBeOfIt));
  if (missing.length === 0) {
    const isTied = (tie: Tie): boolean => tie === 'mark' || tie === 'task';
    const isSure = addresses.every((address) => tiesTo(address).some(isTied));
    if (!isSure && isBusy(chaptersOf(told))) throw new Inconclusive(othersEmail);
    return;
  }
  if (heard.lost) throw new Inconclusive(takenOut);
  if (missing.some((address) => tiesTo(address).includes('other'))) {
    throw new Inconclusive(othersEmail);
  }
  const waited = `${Math.round(heard.waitedMs / 100) / 10} s`;
  throw new Violation(`the email of the ${deed} to ${to?.type === 'TEAM' ? 'a team' : 'a user'}`, {
    expected: `an email to ${addresses.map(told.nameOf).join(' and to ')}`,
    actual: `none to ${missing.map(told.nameOf).join(', nor to ')} within ${waited}`,
    on: answers,
  });
}

/** Judges that email of an assignment went to nobody else. */
const nobodyElse: Judge = (told) => {
  const meant = chaptersOf(told).filter(isAssigning);
  for (const { answers } of meant) for (const answer of answers) requireAccepted(answer);
  const isAlone = meant.every(({ addresses }) =>
    [...told.configured].every((one) => addresses.includes(one) || one === told.assigner),
  );
  if (isAlone) {
    throw new NotJudged('Not configured: USER_EMAILS: somebody besides those who are assigned.');
  }
  expectNoStrays(told, isAssigning);
};

const isAssigning = ({ deed }: Chapter): boolean =>
  deed === 'assignment' || deed === 'reassignment';

/** Judges that refused assignments sent no email, where one like them that was right did. */
const noneOfRefused: Judge = (told) => {
  for (const round of told.rounds) {
    for (const refused of round.filter(isRefusal)) requireTwinWithEmail(refused, round);
  }
  expectNoStrays(told, isRefusal);
};

const isRefusal = ({ deed }: Chapter): boolean => deed === 'refused assignment';

/** @throws Inconclusive unless all were refused, and the same assignment, accepted, was followed by email */
function requireTwinWithEmail({ answers, to }: Chapter, round: Round): void {
  const accepted = answers.find((answer) => !isRefused(answer));
  if (accepted !== undefined) {
    const { request, exchange } = accepted;
    throw new Inconclusive(`${request} was not refused (#${exchange.number}).`);
  }
  const twin = round.find((one) => isAssigning(one) && one.to?.id === to?.id);
  for (const answer of twin?.answers ?? []) {
    requireTwin(answer, 'the same assignment, right in every point');
  }
  const hasCome = twin?.heard.arrivals.some(({ recipients }) =>
    twin.addresses.some((address) => recipients.includes(address)),
  );
  if (hasCome) return;
  throw new Inconclusive('That no email came proves nothing: the right write sent none either.');
}

/**
 * Email to somebody else is believed when it shows a mark of the write, or when it came in each round after the
 * same write to the same person; where nothing ties it to the task either, only if none came while the run was
 * silent.
 */
function expectNoStrays(told: Told, isMeant: (chapter: Chapter) => boolean): void {
  const strays = told.rounds.map((round) =>
    round
      .filter(isMeant)
      .flatMap((chapter, index) =>
        straysOf(chapter, told).map((stray) => ({ ...stray, chapter, index })),
      ),
  );
  const last = strays.at(-1) ?? [];
  const isNoise = isBusy(chaptersOf(told));
  const isRepeated = ({ address, index, tie }: (typeof last)[number]): boolean =>
    strays.length > 1 &&
    (tie === 'task' || !isNoise) &&
    strays.every((round) => round.some((one) => one.address === address && one.index === index));
  const found = strays.flat().find(({ tie }) => tie === 'mark') ?? last.find(isRepeated);
  if (found !== undefined) {
    const { chapter, address, mark } = found;
    const isShown = (index: number): boolean =>
      mark === undefined || chapter.marks.indexOf(mark) === index;
    throw new Violation(`who got email of the ${chapter.deed}`, {
      expected: chapter.addresses.length > 0 ? 'nobody but the assigned' : 'nobody',
      actual: told.nameOf(address),
      on: chapter.answers.filter((_, index) => isShown(index)),
    });
  }
  // Where the same writes once more sent nobody else any, what came before was not of them.
  if (last.length > 0) throw new Inconclusive(othersEmail);
  if (told.rounds.at(-1)?.some(({ heard }) => heard.lost)) throw new Inconclusive(takenOut);
}

/** Judges of what is true of every story. */
export const storyJudges = {
  'notification.new-assignee-gets-email': everybodyGetsEmail('reassignment', 'any'),
  'notification.nobody-else-gets-email': nobodyElse,
} satisfies { readonly [Id in JudgedClause]?: Judge };

/** Judges of stories in which assignments are refused. */
export const refusalJudges = {
  'notification.refused-write-sends-no-email': noneOfRefused,
} satisfies { readonly [Id in JudgedClause]?: Judge };
