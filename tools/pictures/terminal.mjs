/** @type {Readonly<Record<string, string>>} */
const colours = { 31: '#ff8f8a', 32: '#7fd699', 33: '#f0bf6c', 35: '#d3b2ff', 36: '#7fd0e0' };

const sequence = new RegExp(`${String.fromCodePoint(0x1b)}\\[(\\d+)m`);

/**
 * What stands on a terminal, with its colours, as a page of one `pre`.
 * @param {string} text with the escape sequences that `styleText` of Node writes
 */
export function terminalAsHtml(text) {
  let styles = '';
  const lines = text
    .trimEnd()
    .split(sequence)
    .map((part, index) => {
      // A split by a pattern with a group gives texts and groups by turns.
      const code = index % 2 === 1 ? part : undefined;
      if (code === undefined) return `<span style="${styles}">${escaped(part)}</span>`;
      styles = after(styles, code);
      return '';
    });
  const style =
    'margin:0;padding:20px 24px;white-space:pre-wrap;overflow-wrap:anywhere;background:#13161b;color:#e4e7ec;font:12px/1.45 "DejaVu Sans Mono",monospace';
  return `<!doctype html><body style="margin:0"><pre style='${style}'>${lines.join('')}</pre>`;
}

/**
 * The styles that hold after one more code.
 * @param {string} styles
 * @param {string} code
 */
function after(styles, code) {
  if (code === '0') return '';
  if (code === '1') return `${styles}font-weight:bold;`;
  if (code === '2') return `${styles}opacity:0.65;`;
  if (code === '22') return styles.replaceAll(/font-weight:bold;|opacity:0.65;/g, '');
  const bare = styles.replaceAll(/color:[^;]*;/g, '');
  return colours[code] === undefined ? bare : `${bare}color:${colours[code]};`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
