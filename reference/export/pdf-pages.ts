import type { Block } from './pdf-layout.ts';

/** A block and the upper left corner of its place, in points from that of the frame. */
export interface PlacedBlock extends Block {
  readonly left: number;
  readonly top: number;
}

export type Page = readonly PlacedBlock[];

/** The room for blocks on each page: stacks side by side, filled one after the other. Lengths are in points. */
export interface Frame {
  readonly height: number;
  readonly lineHeight: number;
  readonly stacks: number;
  /** From the left edge of one stack to that of the next. */
  readonly stackWidth: number;
}

/**
 * Puts blocks on pages, at least one. A block that does not fit any more stands in the next stack or on the
 * next page; one that is higher than a page is continued there.
 */
export function paginate(blocks: readonly Block[], frame: Frame): readonly Page[] {
  const pages: PlacedBlock[][] = [];
  let stack = frame.stacks;
  let top = 0;
  for (const block of blocks.flatMap((high) => cutToHeight(high, frame))) {
    if (pages.length === 0 || top + block.height > frame.height) {
      top = 0;
      stack += 1;
    }
    if (stack >= frame.stacks) {
      stack = 0;
      pages.push([]);
    }
    pages.at(-1)?.push({ ...block, left: stack * frame.stackWidth, top });
    top += block.height;
  }
  return pages.length === 0 ? [[]] : pages;
}

function cutToHeight(block: Block, frame: Frame): readonly Block[] {
  const { height, lineHeight } = frame;
  if (block.height <= height) return [block];
  const fits = ({ y }: { readonly y: number }) => y + lineHeight <= height;
  const below = block.texts.filter((text) => !fits(text));
  const firstBelow = Math.min(...below.map(({ y }) => y));
  const rest = {
    ...block,
    height: block.height - firstBelow,
    texts: below.map((text) => ({ ...text, y: text.y - firstBelow })),
  };
  const head = { ...block, height, texts: block.texts.filter(fits) };
  return below.length === 0 ? [head] : [head, ...cutToHeight(rest, frame)];
}
