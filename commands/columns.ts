/** How text is put on the standard output. */
export function standardOutput(): { readonly color: boolean; readonly width: number } {
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  return { color, width: columnsOf(process.stdout) };
}

/** How wide text may be on a stream: the columns of its terminal, or `otherwise` where there is none or none are known. */
export function columnsOf(stream: { readonly columns?: number }, otherwise = 100): number {
  // A terminal that was never given a size has 0 columns.
  return stream.columns || otherwise;
}
