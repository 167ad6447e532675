// Shows an exported CSV as a table once its exchange is opened. Without a script it stays text.

/** The rows of a CSV text, each cell as it stands there, quotes included. */
function csvRows(text) {
  const [line = ''] = text.split('\n');
  const fields = (delimiter) => line.split(delimiter).length;
  const [delimiter] = [',', ';', '\t', '|'].sort((a, b) => fields(b) - fields(a));
  const rows = [['']];
  let quoted = false;
  // Where lines end with a pair of characters, the first of them is spelled out.
  for (const character of text.replaceAll('\\r\n', '\n')) {
    const row = rows.at(-1);
    if (character === '"') quoted = !quoted;
    if (!quoted && character === delimiter) row.push('');
    else if (!quoted && character === '\n') rows.push(['']);
    else row[row.length - 1] += character;
  }
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}

/** A table of the rows, the first of them as its head, in a frame that scrolls. */
function tableOf([head, ...rows]) {
  const table = document.createElement('table');
  table.className = 'csv';
  const addRow = (section, cells, tag) => {
    const row = section.insertRow();
    for (const text of cells) {
      const cell = document.createElement(tag);
      cell.textContent = text;
      row.append(cell);
    }
  };
  addRow(table.createTHead(), head, 'th');
  const body = table.createTBody();
  for (const row of rows) addRow(body, row, 'td');
  const frame = document.createElement('div');
  frame.className = 'scroll';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', 'The exported events');
  frame.append(table);
  return frame;
}

document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.open || !target.matches('.exchange')) return;
    for (const text of target.querySelectorAll('.csv-text')) {
      const rows = csvRows(text.textContent);
      if (rows[0] === undefined || rows[0].length < 2) continue;
      text.closest('.sides').after(tableOf(rows));
      text.previousSibling.textContent = text.previousSibling.textContent.trimEnd();
      text.remove();
    }
  },
  true,
);
