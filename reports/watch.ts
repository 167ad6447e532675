// What `watch` prints besides the verdicts of its runs.

/** What is watched, and what to type. Ends with an empty line. */
export function renderHowToWatch(paths: readonly string[]): string {
  const watched = paths.length === 0 ? 'No files are watched' : `Watching ${paths.join(', ')}`;
  return [
    `${watched}. Press Enter to run again; Ctrl-C ends, and puts everything back.`,
    'Type a clause, the beginning of its id, or a part of a scenario’s name to run that alone; "all" runs everything.',
    '',
    '',
  ].join('\n');
}

/** Why there is another run: files that changed, or a line that was typed. */
export type Trigger =
  | { readonly kind: 'files'; readonly names: readonly string[] }
  | { readonly kind: 'line'; readonly text: string };

/** When and why everything is run again. @param time of day */
export function renderTrigger(trigger: Trigger, time: string): string {
  if (trigger.kind === 'line') return `\n${time}  Again${trigger.text && `: ${trigger.text}`}\n`;
  const { names } = trigger;
  const more = names.length > 1 ? `, and ${names.length - 1} more` : '';
  return `\n${time}  ${names[0]} changed${more}\n`;
}

export function renderWaiting(baseUrl: string): string {
  return `Waiting for ${baseUrl} to answer …\n`;
}

export const everythingIsPutBack = '\nEverything is put back.\n';
