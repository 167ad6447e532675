import { assessmentSchema } from '../../schemas/assessment.ts';
import { assignmentSchema } from '../../schemas/assignment.ts';
import type { FieldDifference } from '../../schemas/difference.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { taskSchema } from '../../schemas/task.ts';
import { timestampPattern } from '../../schemas/timestamp.ts';
import { shellQuoted } from '../commands.ts';
import { shownBeside } from '../difference.ts';
import { printableLine } from '../printable.ts';
import { textsOf } from '../wording.ts';
import { unseen } from './shell.ts';

/*
 * How commands end: with what is expected, what came in the run and what came now, and whether that is right, as far as a
 * command can tell. The exit code is 0 where it is, 1 where it is not, 2 where that was not to be seen.
 */

/** What the last lines say in place of what the violation says. */
export interface Told {
  readonly expected?: string;
  readonly ran?: string;
  /** What is right is what was there before, `$before`. */
  readonly isBefore?: true;
  /** A command that succeeds where what came is right; left out where that is for people to see. */
  readonly isRight?: string;
  /** One that succeeds where it is as wrong as in the run; left out where all that is not right is wrong. */
  readonly isWrong?: string;
}

/** The last lines: what is right, what came in the run, what came now; and whether that is right, which is the exit code. */
export function closing(violation: ViolationResult, told: Told = {}): string[] {
  const { difference } = violation;
  const isEvent = difference?.kind === 'field' && difference.of === 'recorded event';
  const of = difference?.kind === 'field' && !isEvent ? difference : violation;
  const shown = shownBeside(
    'kind' in of ? of.expected : textsOf(of).expected,
    'kind' in of ? of.actual : textsOf(of).actual,
    200,
  );
  // As an answer has it, which stands below.
  const name = isNamed(of) ? `${JSON.stringify(of.fields[0])}:` : '';
  const missing = 'kind' in of && of.wrong === 'missing' ? ` ${of.fields[0]}` : '';
  const [expected, actual] = [`${name}${shown.expected}${missing}`, `${name}${shown.actual}`];
  const { isRight = told.isBefore ? '[ "$now" = "$before" ]' : undefined } = told;
  const { isWrong } = told;
  const decided =
    isRight === undefined && isWrong === undefined
      ? verdictOf(violation)
      : optional({ isRight, isWrong });
  const line = (name: string, text: string): string =>
    `echo ${shellQuoted(printableLine(`${name.padEnd(12)}${text}`))}`;
  return [
    told.isBefore
      ? 'echo "Expected:   $before, as before the write"'
      : line('Expected:', told.expected ?? expected),
    line('In the run:', told.ran ?? actual),
    `echo "Now:        \${now:-nothing}"`,
    ...endingOf(decided, violation),
  ];
}

/** Whether what is expected is the value of one field of an answer. */
function isNamed(of: FieldDifference | ViolationResult): of is FieldDifference {
  return 'kind' in of && of.wrong !== 'form' && of.wrong !== 'missing';
}

const notRight = `echo 'NOT as expected.'; exit 1;`;
const notEachTime = `echo 'As expected this time. The run saw it once of two times: that decides nothing.'; exit ${unseen};`;
const forPeople = `echo 'Neither as expected nor as in the run: compare the lines above.'; exit ${unseen};`;

/** Says whether it is right, and ends so. */
function endingOf(
  { isRight, isWrong }: Told,
  { intermittent }: Pick<ViolationResult, 'intermittent'>,
): string[] {
  const takesAPerson = `echo 'Compare the lines above: that takes a person.'; exit ${unseen};`;
  if (isRight === undefined && isWrong === undefined) return [takesAPerson];
  const asExpected = intermittent ? notEachTime : `echo 'As expected.';`;
  const right = isRight === undefined ? [] : [`if ${isRight}; then ${asExpected}`];
  const next = right.length === 0 ? 'if' : 'elif';
  if (isWrong === undefined) return [`${right.join('')} else ${notRight} fi`];
  return [
    `${[...right, `${next} ${isWrong}; then ${notRight}`].join(' ')} else ${isRight === undefined ? takesAPerson : forPeople} fi`,
  ];
}

/** Commands that succeed where `$now`, a status or a field, is right, and as wrong as it was; empty where they cannot tell. */
function verdictOf({ difference }: ViolationResult): Pick<Told, 'isRight' | 'isWrong'> {
  if (difference?.kind === 'status') {
    const statuses = difference.expected.split(' or ').map((one) => one.replaceAll('x', '?'));
    return { isRight: `case $now in ${statuses.join('|')}) true;; *) false;; esac` };
  }
  if (difference?.kind !== 'field' || difference.of === 'recorded event') return {};
  if (difference.wrong === 'missing') return { isRight: '[ -n "$now" ]' };
  const form = difference.wrong === 'form' ? formOf(difference) : undefined;
  if (form !== undefined) return { isRight: `valueOf "$now" | grep -qE ${shellQuoted(form)}` };
  const isRight = isOneOf(spellingsOf(difference.expected));
  // Of what is written with escapes, or over several lines, there are more ways to write it than are known here.
  return isPlainJson(difference.expected)
    ? { ...(isRight && { isRight }) }
    : optional({ isRight, isWrong: isOneOf(spellingsOf(difference.actual)) });
}

function optional({
  isRight,
  isWrong,
}: {
  isRight: string | undefined;
  isWrong: string | undefined;
}): Pick<Told, 'isRight' | 'isWrong'> {
  return {
    ...(isRight !== undefined && { isRight }),
    ...(isWrong !== undefined && { isWrong }),
  };
}

/** A command that succeeds where the value that was shown is one of these; undefined where there are none. */
function isOneOf(values: readonly string[]): string | undefined {
  if (values.length === 0) return undefined;
  const patterns = values.map((value) => shellQuoted(value)).join('|');
  return `case $(valueOf "$now") in ${patterns}) true;; *) false;; esac`;
}

/** A literal that all services write in the same way. */
function isPlainJson(text: string): boolean {
  return /^(?:"[ -!#-.0-;=?-[\]-~]*"|null|true|false|-?\d+)$/.test(text);
}

/** How services write a JSON literal: with characters as they are, or escaped; empty where it is none, but a description. */
function spellingsOf(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value === 'object' && value !== null) return [];
  const json = JSON.stringify(value);
  const escaped = (characters: RegExp, inCapitals = false): string =>
    json.replace(characters, (character) => {
      const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${inCapitals ? hex.toUpperCase() : hex}`;
    });
  const notAscii = /[^\0-\x7f]/g;
  const all = [json, escaped(notAscii), escaped(notAscii, true), escaped(/[<>&]/g)];
  return [...new Set([...all, ...all.map((one) => one.replaceAll('/', '\\/'))])];
}

/** The form of a field, as an extended regular expression for its JSON; undefined where it is not that of a schema. */
function formOf({ of, fields: [field = ''] }: FieldDifference): string | undefined {
  const name = field.split('.').at(-1) ?? field;
  const schemas = field.startsWith('assignment.')
    ? [assignmentSchema]
    : of === 'task'
      ? [taskSchema]
      : [assessmentSchema];
  const properties: Readonly<Record<string, SchemaOfField>> = Object.assign(
    {},
    ...schemas.map((schema) => schema.properties),
  );
  const { type, pattern, format, enum: values } = properties[name] ?? {};
  if (type === undefined) return undefined;
  const text = values?.join('|') ?? (format === undefined ? pattern : timestampPattern);
  const ofText = text === undefined ? '"' : `"(${text.replace(/^\^|\$$/g, '')})"$`;
  const forms: Readonly<Record<string, string>> = {
    string: ofText.replaceAll('(?:', '(').replaceAll('\\d', '[0-9]'),
    null: 'null$',
    integer: '-?[0-9]+$',
    object: '[{]',
  };
  return `^(${[type]
    .flat()
    .flatMap((one) => forms[one] ?? [])
    .join('|')})`;
}

interface SchemaOfField {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
}
