// Filters, searches, and brings evidence to where it is asked for. The page reads without it too.

const form = document.querySelector('#filter');
const clauses = [...document.querySelectorAll('.clause')];
const scenarios = [...document.querySelectorAll('#scenarios > .scenario')];
const texts = new WeakMap();
let openedForPrint = [];

/** What the address asks for: the element to show, and the filter. `#update.success-status?q=201&level=open` */
function address() {
  const [id = '', query = ''] = location.hash.slice(1).split(/\?(.*)/s);
  return { id: decoded(id), query: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The filter of the form as a query. */
function formQuery() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') query.append(name, value);
  return query;
}

function fillForm(query) {
  form.elements.q.value = query.get('q') ?? '';
  for (const box of form.querySelectorAll('input[type=checkbox]')) {
    box.checked = query.getAll(box.name).includes(box.value);
  }
}

function textOf(element) {
  if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
  return texts.get(element);
}

function evidenceOf(clause) {
  const anchors = clause.dataset.scenarios.split(' ').filter((anchor) => anchor !== '');
  return anchors.map((anchor) => document.getElementById(anchor));
}

/** Shows what fits the filter: words may stand in the clause or in any exchange of its scenarios. */
function applyFilter(query) {
  const verdicts = query.getAll('verdict');
  const levels = query.getAll('level');
  const words = (query.get('q') ?? '').toLowerCase();
  const among = (values, value) => values.length === 0 || values.includes(value);
  const has = (element) => textOf(element).includes(words);
  let shown = 0;
  for (const clause of clauses) {
    const fits =
      among(verdicts, clause.dataset.verdict) &&
      among(levels, clause.dataset.level) &&
      (words === '' || has(clause) || evidenceOf(clause).some(has));
    clause.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const section of document.querySelectorAll('.document-section')) {
    section.hidden = section.querySelector('.clause:not([hidden])') === null;
  }
  for (const scenario of scenarios) scenario.hidden = words !== '' && !has(scenario);
  form.elements.count.value = `${shown} of ${clauses.length} clauses and open points`;
  highlight(words);
}

/** Marks the words of the search in everything that is open. */
function highlight(words) {
  if (!('highlights' in CSS)) return;
  const ranges = [];
  if (words.length > 1) {
    // On the text as it stands: lower case can be longer than upper case.
    const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
    for (const part of document.querySelectorAll('.clause:not([hidden]), .scenario[open]')) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < 2000) {
        for (const { 0: found, index } of walker.currentNode.data.matchAll(pattern)) {
          const range = new Range();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + found.length);
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges));
}

/** A copy of evidence, without the ids that the original keeps. */
function copyOf(element, open) {
  const copy = element.cloneNode(true);
  for (const one of [copy, ...copy.querySelectorAll('[id]')]) one.removeAttribute('id');
  copy.open = open;
  return copy;
}

/** Puts the evidence into a clause when it is opened for the first time. */
function bringEvidence(clause) {
  for (const [rank, place] of clause.querySelectorAll('[data-copy-exchanges]').entries()) {
    const numbers = place.dataset.copyExchanges.split(' ').filter((number) => number !== '');
    const exchanges = numbers.map((number) => document.getElementById(`exchange-${number}`));
    // Of many violations the first is enough to see at once.
    const open = rank === 0 && numbers.length <= 2;
    place.replaceChildren(
      ...exchanges.filter((one) => one !== null).map((one) => copyOf(one, open)),
    );
    delete place.dataset.copyExchanges;
  }
  for (const place of clause.querySelectorAll('[data-copy]')) {
    place.replaceChildren(copyOf(document.getElementById(place.dataset.copy), false));
    delete place.dataset.copy;
  }
}

/** Opens an element and all that it lies in, and goes there. */
function show(id) {
  const element = document.getElementById(id);
  if (element === null) return;
  for (let one = element; one !== null; one = one.parentElement) {
    if (one instanceof HTMLDetailsElement) one.open = true;
    one.hidden = false;
  }
  element.scrollIntoView({ block: 'start' });
  element.querySelector(':scope > summary')?.focus({ preventScroll: true });
}

function follow() {
  const { id, query } = address();
  fillForm(query);
  applyFilter(query);
  show(id);
}

function setAddress(id, query) {
  const rest = query.toString();
  history.replaceState(null, '', `#${id}${rest === '' ? '' : `?${rest}`}`);
}

form.hidden = false;
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', () => {
  setAddress('clauses', formQuery());
  applyFilter(formQuery());
});
form.addEventListener('reset', () => {
  setAddress('clauses', new URLSearchParams());
  applyFilter(new URLSearchParams());
});

document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.open) return;
    if (target.matches('.clause')) {
      bringEvidence(target);
      if (!openedForPrint.includes(target)) setAddress(target.id, formQuery());
    }
    addCopyButtons(target);
    highlight(form.elements.q.value.toLowerCase());
  },
  true,
);

/** Puts a button beside each command in an element; what was cut is none to be copied. */
function addCopyButtons(element) {
  for (const command of element.querySelectorAll('pre.command:not(.cut)')) {
    const { previousElementSibling: caption } = command;
    if (caption === null || caption.querySelector('button') !== null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy-command';
    // Words of the style, so that a search does not find them everywhere.
    button.setAttribute('aria-label', 'Copy the command');
    // Before the words: these flow about it.
    caption.prepend(button);
  }
}

/** Copies the text of an element, also where a page may not use the clipboard itself. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
  } catch {
    getSelection().selectAllChildren(element);
    document.execCommand('copy');
    getSelection().removeAllRanges();
  }
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button.copy-command');
  if (button === null) return;
  await copy(button.closest('figure').querySelector('pre'));
  button.classList.add('done');
  button.setAttribute('aria-label', 'Copied');
  setTimeout(() => {
    button.classList.remove('done');
    button.setAttribute('aria-label', 'Copy the command');
  }, 1500);
});

for (const part of document.querySelectorAll('.finding, main > section:not([id])'))
  addCopyButtons(part);

addEventListener('beforeprint', () => {
  const shown = [...clauses, ...document.querySelectorAll('.finding')];
  const violated = shown.filter(
    ({ dataset, classList }) => classList.contains('finding') || dataset.verdict === 'violated',
  );
  openedForPrint = violated.filter(({ open }) => !open);
  for (const clause of openedForPrint) {
    bringEvidence(clause);
    clause.open = true;
  }
});
addEventListener('afterprint', () => {
  for (const clause of openedForPrint) clause.open = false;
});

addEventListener('hashchange', follow);
follow();
