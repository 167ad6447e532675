import { groupBy } from '../helpers/group-by.ts';
import { assigning, type Between, isRefusable, type Moves } from './refused-requests.ts';

/*
 * What sequences are made of, as data: valid writes, and forms of their comments; requests that must be refused stand in
 * refused-requests.ts. Whoever wants one more adds a row: it meets all others in `plannedWalks`.
 */

/** Who has a task. */
type Holder = 'nobody' | 'a user' | 'a team';

/** A valid write, by whom the task goes from, and to. */
export interface Move {
  readonly name: string;
  readonly from: Holder;
  readonly to: Holder;
  /** Whether the same user, or the same team, gets the task again. */
  readonly isSame?: true;
  /** Whether the same actor writes again: then nothing but the comment changes. */
  readonly isBySame?: true;
  /** Whether the user who gets the task makes the write, where the target takes one of the users as an actor. */
  readonly isBySelf?: true;
}

export const moves: readonly Move[] = [
  { name: 'an assignment to a user', from: 'nobody', to: 'a user' },
  { name: 'an assignment to a team', from: 'nobody', to: 'a team' },
  { name: 'a reassignment to another user', from: 'a user', to: 'a user' },
  { name: 'a reassignment from a user to a team', from: 'a user', to: 'a team' },
  { name: 'a reassignment from a team to a user', from: 'a team', to: 'a user' },
  { name: 'an assignment to the same user', from: 'a user', to: 'a user', isSame: true },
  { name: 'an assignment to the same team', from: 'a team', to: 'a team', isSame: true },
  {
    name: 'an assignment to the same user by the same actor',
    from: 'a user',
    to: 'a user',
    isSame: true,
    isBySame: true,
  },
  { name: 'an assignment to oneself', from: 'a user', to: 'a user', isBySelf: true },
  { name: 'an unassignment from a user', from: 'a user', to: 'nobody' },
  { name: 'an unassignment from a team', from: 'a team', to: 'nobody' },
];

/**
 * A form of comments. A careless service would change texts: those here neither begin nor end with white space, and begin
 * with the mark, by which their events are found even where a record cuts them.
 */
export interface CommentForm {
  /** What the form counts as beside moves and refusals: of several texts, one is enough. */
  readonly kind: string;
  readonly write: (mark: string) => string | null | undefined;
}

/** In a comment: programs that take it for HTML or XML drop or refuse this text, and none runs it. */
export const tag = '<if and only if>';

const commentForms: readonly CommentForm[] = [
  { kind: 'none', write: () => undefined },
  { kind: 'a text', write: (mark) => `${mark}: to be found` },
  { kind: 'null', write: () => null },
  { kind: 'a long text', write: (mark) => `${mark}${', and so on'.repeat(190)} ${mark}` },
  {
    kind: 'a text',
    write: (mark) =>
      `=${mark}: he said "now", she said 'later'; 5 < 6 && 7 > 2 \\ 100 %25 a+b <b>&amp;</b> <script>1</script> {{name}}`,
  },
  {
    kind: 'a text',
    write: (mark) =>
      `${mark} first line\nsecond line\r\nthird line\n\n\n\tindented,  with  double  spaces and\u00a0others`,
  },
  {
    kind: 'a text',
    // The same letter in one character and in two, and a ligature.
    write: (mark) =>
      `${mark} Gr\u00fc\u00dfe, gru\u0308n, \ufb01ne, žluťoučký, Привет, γειά σου, שלום, مرحبا, 你好, こんにちは, 👩‍👩‍👧 🏳️‍🌈 𝒳 👍🏽 and so on`,
  },
  // Begins with a quote, and holds nothing else for which a CSV must put quotes around the cell.
  { kind: 'a text', write: (mark) => `"${mark}" ß 👍` },
  { kind: 'a text', write: (mark) => `${mark} ${tag} ${mark}` },
];

/** A valid write, and what is sent right before it. */
export interface Planned {
  readonly between: Between;
  readonly move: Move;
  readonly form: CommentForm;
  /** What is sent once, and before that. */
  earlier: readonly Between[];
  /** Whether its Content-Type names the charset: every second one of each move does. */
  hasCharset: boolean;
  /** Whether the task and its assessment are read once more after it: after each kind of write and each form of comment. */
  isReadAfter: boolean;
}

/** How many sequences there are: independent tasks can go through them at the same time. */
export const walks = 3;

/** How many valid writes a sequence has at most. */
const stepsOfAWalk = 16;

/**
 * The sequences, each from a task that nobody has: each write is the one that brings most of what none before had. What has
 * no kind is sent once, before the last writes, so that nothing else comes between what meets.
 */
export function plannedWalks(possible: readonly Move[], between: readonly Between[]): Planned[][] {
  const seen = new Set<string>();
  const newIn = (one: Planned, before: Planned | undefined, index: number): number =>
    wantedIn(one, before, index).reduce(
      (sum, [key, worth]) => sum + (seen.has(key) ? 0 : worth),
      0,
    );
  const walk = (_: unknown, index: number): Planned[] => {
    const planned: Planned[] = [];
    for (let at: Holder = 'nobody'; planned.length < stepsOfAWalk; ) {
      const before = planned.at(-1);
      const [best] = possible
        .filter(({ from }) => from === at)
        .flatMap((move) =>
          between
            .filter(({ kind, needs = 0 }) => kind !== undefined && planned.length >= needs)
            .flatMap((one) =>
              commentForms.map(
                (form): Planned => ({
                  move,
                  between: one,
                  form,
                  earlier: [],
                  hasCharset: false,
                  isReadAfter: false,
                }),
              ),
            ),
        )
        .filter((one) => !mayChangeNothing(one, before))
        .map((one) => ({ one, gain: newIn(one, before, index) }))
        .sort((one, other) => other.gain - one.gain);
      if (best === undefined || best.gain === 0) break;
      for (const [key] of wantedIn(best.one, before, index)) seen.add(key);
      planned.push(best.one);
      at = best.one.move.to;
    }
    return planned;
  };
  const all = Array.from({ length: walks }, walk);
  for (const same of groupBy(all.flat(), ({ move }) => move).values())
    for (const [at, one] of same.entries()) one.hasCharset = at % 2 === 1;
  const read = new Set<unknown>();
  for (const one of all.flat()) {
    const shown = [one.form, `${kindOf(one.move)} & ${one.form.kind}`];
    one.isReadAfter = shown.some((what) => !read.has(what));
    for (const what of shown) read.add(what);
  }
  // What no write was left for is sent before one that there is. A read of the same kind does not stand for a write.
  const written = new Set(
    all.flat().flatMap((one) => (isRefusable(one.between) ? [meeting(one.move, one.between)] : [])),
  );
  for (const one of between.filter(isRefusable))
    for (const planned of all.flatMap((each) => each.slice(one.needs)).toReversed()) {
      const key = meeting(planned.move, one);
      if (written.has(key) || !isShort(planned)) continue;
      planned.earlier = [...planned.earlier, one];
      written.add(key);
    }
  for (const [at, ones] of groupBy(between.flatMap(onceBefore), (one) => one.at)) {
    const last = all.flatMap(
      (planned) => planned.findLast((one) => isOf[at](one) && isShort(one)) ?? [],
    );
    for (const [index, planned] of last.entries()) {
      const own = ones.filter((_, at) => at % last.length === index).map(({ one }) => one);
      planned.earlier = [...planned.earlier, ...own];
    }
  }
  const met = new Set<string>();
  for (const planned of all.flat()) planned.earlier = inManySuccessions(planned.earlier, met);
  // What was refused for one task must not show at a write to another.
  const refusals = groupBy(between.filter(isRefusable), ({ kind }) => kind);
  const toAnother = all.flat().filter((one) => one.between.kind === 'another task');
  for (const [index, planned] of toAnother.entries()) {
    const [, [last] = []] = [...refusals][index % refusals.size] ?? [];
    if (last) planned.earlier = [...planned.earlier.filter((one) => one !== last), last];
  }
  return all;
}

/** The pair of a write and a kind of request before it. */
const meeting = ({ name }: Move, { kind }: Between): string => `${name} & ${kind}`;

/** Requests in an order in which they follow others of as many causes as possible. @param met what has followed what */
function inManySuccessions(all: readonly Between[], met: Set<string>): Between[] {
  const left = [...all];
  const inOrder: Between[] = [];
  while (left.length > 0) {
    const succession = ({ cause }: Between): string => `${inOrder.at(-1)?.cause}, then ${cause}`;
    const next = left.find((one) => !met.has(succession(one))) ?? left[0];
    if (next === undefined) break;
    met.add(succession(next));
    inOrder.push(...left.splice(left.indexOf(next), 1));
  }
  return inOrder;
}

/** Before which moves a request is sent once: where it does not say so, before assignments, if it has no kind. */
function onceBefore(one: Between): { readonly one: Between; readonly at: Moves }[] {
  const { kind, once = kind === undefined ? assigning : [] } = one;
  return once.map((at) => ({ one, at }));
}

/** Whether no service refuses such a comment for its length. */
const isShort = ({ form }: Planned): boolean => (form.write('')?.length ?? 0) < 40;

const isOf: Readonly<Record<Moves, (planned: Planned) => boolean>> = {
  assignments: ({ move: { from, to } }) => from !== 'nobody' && to !== 'nobody',
  'first assignments': ({ move: { from } }) => from === 'nobody',
  'assignments to teams': ({ move: { to } }) => to === 'a team',
  unassignments: ({ move: { to } }) => to === 'nobody',
};

/** Whether a write may leave the task as it was: then it need not have a new version. */
function mayChangeNothing({ move, form }: Planned, before: Planned | undefined): boolean {
  const hasNoText = ({ kind }: CommentForm): boolean => kind === 'none' || kind === 'null';
  return (
    move.isSame === true && hasNoText(form) && (before === undefined || hasNoText(before.form))
  );
}

/**
 * What a write shows where no other did: pairs, and what must be there at least once. What each is worth decides the order
 * in which they are found; of many choices that were tried, these leave the fewest out.
 */
function wantedIn(
  { between, move, form }: Planned,
  before: Planned | undefined,
  index: number,
): (readonly [key: string, worth: number])[] {
  const isRecorded = typeof form.write('') === 'string';
  const wanted: (readonly [key: string, worth: number, isShown?: boolean])[] = [
    [`${move.name} & ${form.kind}`, 3],
    // What meets is shown by the record too, where that can be found by its comment.
    [meeting(move, between), 3, isRecorded],
    [`${between.name} & ${form.kind}`, 3],
    [`${before && kindOf(before.move)} ${before?.form.kind} & ${form.kind}`, 0.5],
    [`${before && kindOf(before.move)}, then ${between.kind}`, 3],
    [`${before?.move.name} & ${move.name}`, 0.5],
    [`${commentForms.indexOf(form)} & ${move.to}`, 2],
    // Each sequence shows all that may become of a task.
    [`${index} & ${kindOf(move)}`, 2, !move.isSame],
  ];
  return wanted.flatMap(([key, worth, isShown = true]) => (isShown ? [[key, worth] as const] : []));
}

const kindOf = ({ from, to }: Move): string =>
  to === 'nobody' ? 'unassigned' : from === 'nobody' ? 'assigned' : 'reassigned';
