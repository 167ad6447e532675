import type { Arrival } from '../../helpers/mail/mail-watch.ts';
import type { Chapter, Told } from './story.ts';

/**
 * What ties an email to a write. `mark`: it shows a mark of the write. `task`: it names the task. `earlier`: it is
 * that of an earlier write. `other`: it names something else, while emails of this service name the task.
 * `unknown`: nothing in it says of what it tells; it may be other people’s.
 */
export type Tie = 'mark' | 'task' | 'earlier' | 'other' | 'unknown';

type Written = Pick<Chapter, 'marks' | 'earlier' | 'taskId'>;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** @param isUsual whether emails of this service are known to show marks, or to name their task */
export function tieOf(
  arrival: Arrival,
  { marks, earlier, taskId }: Written,
  isUsual: boolean,
): Tie {
  const { text, recipients } = arrival;
  if (shows(arrival, marks)) return 'mark';
  // Late, or delivered once more: to those who were to get it then.
  const isOf = (chapter: Chapter): boolean =>
    shows(arrival, chapter.marks) &&
    (chapter.addresses.length === 0 || chapter.addresses.some((one) => recipients.includes(one)));
  if (earlier.some(isOf)) return 'earlier';
  if (text.toLowerCase().includes(taskId.toLowerCase())) return 'task';
  return isUsual && uuid.test(text) ? 'other' : 'unknown';
}

function shows({ text }: Arrival, marks: readonly string[]): boolean {
  return marks.some((mark) => text.includes(mark));
}

/** Whether an email with this tie may be that of the write. */
export function mayBeOfIt(tie: Tie): boolean {
  return tie !== 'earlier' && tie !== 'other';
}

/** Whether an email of the story is tied to its write: then those of this service usually are. */
export function isTieUsual(chapters: readonly Chapter[]): boolean {
  return chapters.some((chapter) =>
    chapter.heard.arrivals.some((one) => {
      const tie = tieOf(one, chapter, false);
      return tie === 'mark' || tie === 'task';
    }),
  );
}

/** Somebody who got an email that was for others. */
export interface Stray {
  readonly address: string;
  readonly tie: Tie;
  /** The mark of the write that it shows. */
  readonly mark: string | undefined;
}

/** Configured people who got email of a chapter, beside those who were to get it. */
export function straysOf(
  chapter: Chapter,
  { rounds, configured, assigner }: Pick<Told, 'rounds' | 'configured' | 'assigner'>,
): Stray[] {
  const { deed, addresses, heard, earlier } = chapter;
  const isStray = (address: string, tie: Tie): boolean => {
    // Whether the assigner gets a copy is open; of what was refused there is none.
    const isCopy = address === assigner && deed !== 'refused assignment';
    const isLate = tie !== 'mark' && earlier.some((one) => isLacking(one, address));
    return configured.has(address) && !addresses.includes(address) && !isCopy && !isLate;
  };
  const chapters = rounds.flat();
  const isUsual = isTieUsual(chapters);
  // What a refused write said is kept nowhere: an email that shows it later is of that write all the same.
  const late = chapters
    .filter(({ earlier }) => deed === 'refused assignment' && earlier.includes(chapter))
    .flatMap((later) => later.heard.arrivals)
    .filter((arrival) => shows(arrival, chapter.marks));
  return [...heard.arrivals, ...late].flatMap((arrival) => {
    const tie = tieOf(arrival, chapter, isUsual);
    const strays = arrival.recipients.filter((address) => isStray(address, tie));
    const mark = chapter.marks.find((one) => shows(arrival, [one]));
    return mayBeOfIt(tie) ? strays.map((address) => ({ address, tie, mark })) : [];
  });
}

/** Whether somebody was to get email of a chapter that did not come in time, and may still come. */
function isLacking({ addresses, heard }: Chapter, address: string): boolean {
  const isThere = heard.arrivals.some(({ recipients }) => recipients.includes(address));
  return addresses.includes(address) && !isThere;
}

/** Whether email came while the run wrote nothing: other people’s. */
export function isBusy(chapters: readonly Chapter[]): boolean {
  return chapters.some((chapter) =>
    chapter.silence?.arrivals.some((one) => tieOf(one, chapter, false) !== 'earlier'),
  );
}
