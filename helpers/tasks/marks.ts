/*
 * Marks: what stands in every comment that the suite writes, where the comment leaves room for it. By its mark a comment is
 * found again in exports and email; a task that shows one is known to be assigned by a run of this suite, and by which.
 *
 * A mark is eighteen digits: eight of the run, four of the comment, and six that follow from those, so that no other number
 * is taken for a mark. Digits stay what they are where a service trims, normalizes or capitalizes comments.
 */
import { randomInt } from 'node:crypto';

/** The digits of a run, unlike those of any other, though it may have the same seed. */
export function newRun(): string {
  return `${randomInt(10_000_000, 100_000_000)}`;
}

/** @param number of the comment within the run */
export function markOf(run: string, number: number): string {
  const digits = `${run}${`${number % 10_000}`.padStart(4, '0')}`;
  return digits + checkOf(digits);
}

/** The marks that stand in a text. */
export function marksIn(text: string): string[] {
  return [...text.matchAll(/(?<!\d)([1-9]\d{11})(\d{6})(?!\d)/g)]
    .filter(([, digits = '', check]) => checkOf(digits) === check)
    .map(([mark]) => mark);
}

/** The runs whose marks stand in a text, by their digits. */
export function runsIn(text: string): string[] {
  return marksIn(text).map((mark) => mark.slice(0, 8));
}

/** The remainder by a prime: two marks that differ in one digit, or in the order of two, differ in it too. */
function checkOf(digits: string): string {
  return `${Number(digits) % 999_983}`.padStart(6, '0');
}
