import { createInterface } from 'node:readline';
import { watch } from 'chokidar';

/** Why to play again, or to end. */
export type Occasion =
  | { readonly kind: 'files'; readonly names: readonly string[] }
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'end' };

/** Occasions, one after another. Only the last that nobody has taken yet counts; an end stays one. */
export interface Occasions {
  /** Resolves with the next one, or with `undefined` when the time is over first. @param ms milliseconds */
  next(ms?: number): Promise<Occasion | undefined>;
  /** Ends all waiting. */
  end(): void;
  close(): Promise<void>;
}

/** Saving writes several files, and a file more than once: so long after the last change they count as one. */
const settledMs = 200;

/** What changes below a folder while a mock runs or the suite plays, and is not the mock. */
const besides = /(^|[\\/])(node_modules|\.git|\.contract-journal|reports)([\\/]|$)/;

/**
 * Waits for changes of files and for lines that are typed.
 * @param paths files and folders
 * @param input where lines are typed
 * @param onOccasion is called at once, while something may still be played
 */
export async function watchOccasions(
  paths: readonly string[],
  input: NodeJS.ReadableStream,
  onOccasion: () => void,
): Promise<Occasions> {
  let last: Occasion | undefined;
  let wake = (): void => {};
  const tell = (occasion: Occasion): void => {
    if (last?.kind === 'end') return;
    last = occasion;
    onOccasion();
    wake();
  };

  const changed = new Set<string>();
  let settling: NodeJS.Timeout | undefined;
  const watcher = watch([...paths], {
    ignoreInitial: true,
    ignored: (path) => {
      const root = paths.find((one) => path.startsWith(one)) ?? '';
      return besides.test(path.slice(root.length));
    },
  });
  watcher.on('all', (_, path) => {
    changed.add(path);
    clearTimeout(settling);
    settling = setTimeout(() => {
      tell({ kind: 'files', names: [...changed] });
      changed.clear();
    }, settledMs);
  });
  if (paths.length > 0)
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));

  const lines = createInterface({ input });
  lines.on('line', (text) => tell({ kind: 'line', text: text.trim() }));
  // Where nothing is watched, nothing else can come.
  lines.on('close', () => paths.length === 0 && tell({ kind: 'end' }));

  return {
    async next(ms) {
      let timer: NodeJS.Timeout | undefined;
      if (last === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (ms !== undefined) timer = setTimeout(resolve, ms);
        });
      }
      clearTimeout(timer);
      const occasion = last;
      if (occasion?.kind !== 'end') last = undefined;
      return occasion;
    },
    end: () => tell({ kind: 'end' }),
    close: async () => {
      clearTimeout(settling);
      lines.close();
      await watcher.close();
    },
  };
}
