import { groupBy, remembered } from '../helpers/maps.ts';
import {
  assigning,
  type Between,
  isRefusable,
  type Moves,
  taskRead,
  withCharset,
} from './refused-requests.ts';
import type { ActorOfWrite, Write } from './writes.ts';

/*
 * What sequences are made of, as data: valid writes, and forms of their comments; requests that must be refused stand in
 * refused-requests.ts. Whoever wants one more adds a row: it meets all others in `plannedWalks`.
 */

type Holder = 'nobody' | 'a user' | 'a team';

/** A valid write, by whom the task goes from, and to. */
export interface Move {
  readonly name: string;
  readonly from: Holder;
  readonly to: Holder;
  /** Whether the same user, or the same team, gets the task again. */
  readonly isSame?: true;
  /** Whether the user who gets or gives up the task makes the write, where the target takes one of the users as an actor. */
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
  { name: 'an assignment to oneself', from: 'a user', to: 'a user', isBySelf: true },
  {
    name: 'an assignment to oneself by who has the task',
    from: 'a user',
    to: 'a user',
    isSame: true,
    isBySelf: true,
  },
  { name: 'a first assignment to oneself', from: 'nobody', to: 'a user', isBySelf: true },
  { name: 'an unassignment by who has the task', from: 'a user', to: 'nobody', isBySelf: true },
  { name: 'an unassignment from a user', from: 'a user', to: 'nobody' },
  { name: 'an unassignment from a team', from: 'a team', to: 'nobody' },
];

/** What several moves have in common. @param move `from` left out: it is not known who has the task */
export const factsOfMove = ({
  from,
  to,
  isBySelf,
}: Pick<Move, 'to' | 'isBySelf'> & { readonly from?: Holder }): string[] => [
  ...(to === 'nobody' ? ['that unassigns'] : ['that assigns', `to ${to}`]),
  ...(from ? [`while ${from} has the task`] : []),
  ...(isBySelf ? ['by oneself'] : []),
];

/**
 * A form of comments. A careless service would change texts: they begin with the mark, by which their events are found even
 * where a record cuts them.
 */
export interface CommentForm {
  /** What the form counts as beside moves and refusals: of several texts, one is enough. */
  readonly kind: string;
  /** Whether careless services tidy such a comment before they look at the request; others refuse it. */
  readonly isTidied?: true;
  readonly write: (mark: string) => string | null | undefined;
}

/** Whether comments of a form say anything. */
export const hasText = ({ write }: CommentForm): boolean => Boolean(write('1'));

/** In a comment: programs that take it for HTML or XML drop or refuse this text, and none runs it. */
export const tag = '<if and only if>';

const commentForms: readonly CommentForm[] = [
  { kind: 'none', write: () => undefined },
  // It reads like a number.
  { kind: 'a text', write: (mark) => mark },
  { kind: 'null', write: () => null },
  // It may count as none, and may be refused.
  { kind: 'empty', isTidied: true, write: () => '' },
  // With what a careless service loses: no other form comes to as many tasks, and requests that are refused.
  {
    kind: 'a long text',
    write: (mark) => `${mark}${', and so on –\n"и так далее"'.repeat(72)} ${mark}`,
  },
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
  { kind: 'white space around it', isTidied: true, write: (mark) => `  ${mark} ` },
];

/** A valid write, and a request that is sent right before it. */
interface Choice {
  readonly between: Between;
  readonly move: Move;
  readonly form: CommentForm;
}

/** A write of a sequence, with all that goes with it. */
export interface Planned extends Choice {
  /** What is sent once, and before the request right before the write. */
  earlier: Between[];
  /** The comments of those of them that have not one as the write has: a text where that has none must not turn up there. */
  instead: ReadonlyMap<Between, CommentForm>;
  /** Who makes it, where nobody acts for oneself: for every second one of each move, who made the write before. */
  actor: ActorOfWrite;
  /** How it is sent, which must not matter. */
  readonly way: Pick<Write, 'contentType' | 'acceptsJson' | 'isChunked' | 'order'>;
  /**
   * Whether the task and its assessment are read once more after it: after each kind of write, and each form of comment, of
   * assignments and of unassignments.
   */
  readonly isReadAfter: boolean;
  /** Whether the next write follows without any read of the task, with the version of the answer to this one. */
  isUnread?: boolean;
}

/** How many sequences there are: independent tasks can go through them at the same time. */
const walks = 6;

const stepsOfAWalk = 9;

/**
 * The sequences, each from a task that nobody has: each write is the one that brings most of what none before had. What has
 * no kind is sent once, before the last writes, so that nothing else comes between what meets.
 */
export function plannedWalks(
  possible: readonly Move[],
  between: readonly Between[],
): readonly (readonly Planned[])[] {
  const key = [...possible, ...between].map(({ name }) => name).join();
  return remembered(plans, key, () => planWalks(possible, between));
}

/** By what they are made of: each sequence asks for its own, and a run of the proof for those of the run before. */
const plans = new Map<string, readonly (readonly Planned[])[]>();

function planWalks(possible: readonly Move[], between: readonly Between[]): Planned[][] {
  const choices = possible.flatMap((move) =>
    between
      .filter(({ kind }) => kind !== undefined)
      .flatMap((one) => commentForms.map((form): Choice => ({ move, between: one, form }))),
  );
  const seen = new Set<string>();
  const all: Planned[][] = [];
  for (let index = 0; index < walks; index += 1) {
    const planned: Planned[] = [];
    all.push(planned);
    while (planned.length < stepsOfAWalk) {
      const before = planned.at(-1);
      const wanted = (one: Choice) =>
        wantedIn(one, before, index).filter(([key]) => !seen.has(key));
      const [best] = choices
        .filter(({ move }) => canFollow(move, before?.move))
        .filter((one) => planned.length >= writesBefore(one.between))
        .filter((one) => !mayChangeNothing(one, before))
        .map((one) => ({ one, gain: wanted(one).reduce((sum, [, worth]) => sum + worth, 0) }))
        .sort((one, other) => other.gain - one.gain);
      if (best === undefined || best.gain === 0) break;
      for (const [key] of wanted(best.one)) seen.add(key);
      planned.push(following(all.flat(), best.one, before));
    }
  }
  // What no write was left for is sent before one that there is. A read of the same kind does not stand for a write.
  const written = new Set(
    all.flat().flatMap((one) => (isRefusable(one.between) ? [meeting(one.move, one.between)] : [])),
  );
  for (const one of between.filter(isRefusable))
    for (const planned of all.flatMap((each) => each.slice(writesBefore(one))).toReversed()) {
      const key = meeting(planned.move, one);
      if (written.has(key) || !isPlain(planned)) continue;
      planned.earlier.push(one);
      written.add(key);
    }
  for (const [at, ones] of groupBy(between.flatMap(onceBefore), (one) => one.at)) {
    // Not before the first write: what is sent with others is tried alone where the task changes, which it may do but once. Nor
    // before the second: a version may have to be two writes old.
    const last = all.flatMap((walk) => {
      const fit = walk.filter((one, index) => index > 1 && isOf[at](one) && isPlain(one, at));
      // A text that is lost shows.
      return fit.findLast((one) => isCommented(walk[walk.indexOf(one) - 1])) ?? fit.at(-1) ?? [];
    });
    for (const [index, { one }] of ones.entries()) {
      const inTurn = [...last.slice(index % last.length), ...last];
      inTurn.find(({ earlier }) => !earlier.includes(one))?.earlier.push(one);
    }
  }
  const met = new Set<string>();
  for (const planned of all.flat()) planned.earlier = inManySuccessions(planned.earlier, met);
  // What was refused for one task must not show at a write to another.
  const refusals = [...groupBy(between.filter(isRefusable), ({ kind }) => kind).values()];
  const toAnother = all.flat().filter((one) => one.between.kind === 'another task');
  for (const [index, planned] of toAnother.entries()) {
    const [last] = refusals[index % refusals.length] ?? [];
    if (last) planned.earlier = [...planned.earlier.filter((one) => one !== last), last];
  }
  const times = new Map<string, number>();
  for (const walk of all)
    for (const [at, planned] of walk.entries()) {
      // Who takes it from there did not assign it: there may be but one user who is taken as an actor.
      const next = walk[at + 1]?.move;
      if (next?.isBySelf && next.isSame !== true && next.from === 'a user')
        planned.actor = 'the first';
      planned.instead = inOtherForms(planned, walk, times);
      planned.isUnread = !planned.isReadAfter && isOfOthers(walk[at + 1]);
    }
  return all;
}

/**
 * Whether the write before leaves the task with whom a write finds it: only who got it by oneself may give it up so, or take it
 * again, and others alone take it so, as there may be but one user who is taken as an actor.
 */
const canFollow = ({ from, to, isSame, isBySelf }: Move, before: Move | undefined): boolean =>
  from === (before?.to ?? 'nobody') &&
  (isBySelf === undefined ||
    from === 'nobody' ||
    (isSame ?? to === 'nobody') === (before?.isBySelf === true));

/**
 * What is sent with another comment than the write that follows, so that each is sent with a text, the longest first, and
 * without one, and what is refused for one cause with comments of all kinds.
 * @param walk the writes of the sequence: one of these has such a comment, unless the request is invalid whatever its comment
 */
function inOtherForms(
  planned: Planned,
  walk: readonly Planned[],
  times: Map<string, number>,
): Map<Between, CommentForm> {
  const { earlier, move, form } = planned;
  const alike = walk.filter((one) => isUnassigning(one) === isUnassigning({ move }));
  const own = alike.map((one) => one.form);
  // No text shows nothing where none was before.
  const before = walk[walk.indexOf(planned) - 1];
  const isShown = (one: CommentForm) => hasText(one) || isCommented(before);
  const instead = new Map<Between, CommentForm>();
  for (const one of earlier) {
    const name = `${one.name}, ${isUnassigning({ move }) ? 'unassigning' : 'assigning'}`;
    // First as the write that follows: the status may be that of a refused comment.
    const ofInvalid = times.has(name) ? commentForms : [];
    times.set(name, 1);
    const possible = one.how === undefined ? own : ofInvalid;
    const forms = [...new Set([...possible.filter(isShown), form])];
    const keysOf = (each: CommentForm) => [
      `${name} & ${kindOf(move)} & ${hasText(each) ? lengthOf(each) > 1000 : 'none'}`,
      `${name} & ${each.kind}`,
      `${one.cause} & ${commentForms.indexOf(each)}`,
      `${one.cause} & ${each.kind} & ${kindOf(move)}`,
    ];
    const rankOf = (each: CommentForm) => [
      ...keysOf(each).map((key) => times.get(key) ?? 0),
      -lengthOf(each),
    ];
    const [other = form] = forms.toSorted((a, b) => differenceOf(rankOf(a), rankOf(b)));
    for (const key of keysOf(other)) times.set(key, (times.get(key) ?? 0) + 1);
    if (other !== form) instead.set(one, other);
  }
  return instead;
}

/** Whether nothing is sent before a write for which its task is read. */
const isOfOthers = (one: Planned | undefined): boolean =>
  one?.earlier.length === 0 && one.between !== taskRead && one.between.leaves === undefined;

/** The first difference between two lists of numbers; 0 where there is none. */
const differenceOf = (some: readonly number[], others: readonly number[]): number =>
  some.map((one, at) => one - (others[at] ?? 0)).find((by) => by !== 0) ?? 0;

/** Whether a write leaves the task with a comment. */
const isCommented = (one: Planned | undefined): boolean =>
  one !== undefined && !isUnassigning(one) && hasText(one.form);

const lengthOf = ({ write }: CommentForm): number => write('')?.length ?? 0;

const isUnassigning = ({ move }: Pick<Planned, 'move'>): boolean => move.to === 'nobody';

/** The next write of sequences. @param made those before it, of all sequences */
function following(made: readonly Planned[], next: Choice, before: Choice | undefined): Planned {
  const { move, form } = next;
  const isOfForm = (one: Planned): boolean =>
    one.form === form && isUnassigning(one) === isUnassigning(next);
  const isOfKind = (one: Planned): boolean =>
    kindOf(one.move) === kindOf(move) && one.form.kind === form.kind;
  const turn = made.filter((one) => one.move === move).length;
  return {
    ...next,
    earlier: [],
    instead: new Map(),
    actor: turn % 2 === 1 && before?.move.isBySelf !== true ? 'the same' : 'another',
    // Of each move: two in four, two others in four, two in five, two in three.
    way: {
      contentType: (turn >> 1) % 2 === 1 ? withCharset : undefined,
      acceptsJson: ((turn + 1) >> 1) % 2 === 1,
      isChunked: (turn % 5) % 2 === 1,
      order: ([undefined, 'reversed', 'actor last'] as const)[turn % 3],
    },
    isReadAfter: !made.some(isOfForm) || !made.some(isOfKind),
  };
}

/** How many writes there must be before a request: no version is old before the first. */
const writesBefore = ({ kind }: Between): number => (kind === 409 ? 1 : 0);

/** The pair of a write and a kind of request before it. */
const meeting = ({ name }: Move, { kind }: Between): string => `${name} & ${kind}`;

/** Requests in an order in which they follow others of as many causes as possible. @param met what has followed what */
function inManySuccessions(all: readonly Between[], met: Set<string>): Between[] {
  const left = [...all];
  const inOrder: Between[] = [];
  while (left.length > 0) {
    const succession = (one: Between): string => `${causeOf(inOrder.at(-1))}, then ${causeOf(one)}`;
    const next =
      left.find(({ isRepeat }) => isRepeat) ??
      left.find((one) => !met.has(succession(one))) ??
      left[0];
    if (next === undefined) break;
    met.add(succession(next));
    inOrder.push(...left.splice(left.indexOf(next), 1));
  }
  return inOrder;
}

/** Why a write is refused, or a read: what comes right after may be answered otherwise after each. */
const causeOf = (one: Between | undefined): string =>
  `${one?.cause}${one?.leaves === undefined ? ' of a read' : ''}`;

/** Before which moves a request is sent once: where it does not say so, before assignments, if it has no kind. */
function onceBefore(one: Between): { readonly one: Between; readonly at: Moves }[] {
  const { kind, once = kind === undefined ? assigning : [] } = one;
  return once.map((at) => ({ one, at }));
}

/** Whether no service refuses such a write, for its comment or its actor. */
const isPlain = ({ form, move }: Planned, at?: Moves): boolean =>
  !form.isTidied &&
  lengthOf(form) < 40 &&
  (move.isBySelf !== true || at === 'assignments to oneself');

const isOf: Readonly<Record<Moves, (planned: Planned) => boolean>> = {
  assignments: ({ move: { from, to } }) => from !== 'nobody' && to !== 'nobody',
  'first assignments': ({ move: { from } }) => from === 'nobody',
  'assignments to teams': ({ move: { to } }) => to === 'a team',
  'assignments to oneself': ({ move: { to, isBySelf } }) => to === 'a user' && isBySelf === true,
  unassignments: ({ move: { to } }) => to === 'nobody',
};

/** Whether a write may leave the task as it was: then it need not have a new version. */
function mayChangeNothing({ move, form }: Choice, before: Choice | undefined): boolean {
  return move.isSame === true && !hasText(form) && !(before && hasText(before.form));
}

/**
 * What a write shows where no other did: pairs, and what must be there at least once. What each is worth decides the order
 * in which they are found; of many choices that were tried, these leave the fewest out.
 */
function wantedIn(
  { between, move, form }: Choice,
  before: Choice | undefined,
  index: number,
): (readonly [key: string, worth: number])[] {
  const isRecorded = hasText(form);
  const isAfterText = before !== undefined && hasText(before.form);
  const wanted: (readonly [key: string, worth: number, isShown?: boolean])[] = [
    // Few writes can come before some: each is made, and recorded, all the same.
    [move.name, 6, isRecorded],
    // No text shows nothing where none was before.
    [`${move.name} & ${form.kind}`, 3, isRecorded || isAfterText],
    [`${move.name} without a text after one`, 3, !isRecorded && isAfterText],
    // What meets is shown by the record too, where that can be found by its comment.
    [meeting(move, between), 3, isRecorded],
    [`${between.name} & ${form.kind}`, 3],
    // The comment of the write before may come back.
    [`${before && kindOf(before.move)}, then ${kindOf(move)}: ${isAfterText} & ${form.kind}`, 2],
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
