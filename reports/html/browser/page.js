// Filters and searches the clauses, opens what a link names, and copies commands. The page reads without it too.

const form = document.querySelector('#filter');
const clauses = [...document.querySelectorAll('.clause')];
const scenarios = [...document.querySelectorAll('#scenarios > .scenario')];
const texts = new WeakMap();

/** What the address asks for: the element to show, and the filter. `#update.success-status?q=201&level=open` */
function address() {
  const [id = '', query = ''] = location.hash.slice(1).split(/\?(.*)/s);
  return { id, query: new URLSearchParams(query) };
}

function formQuery() {
  return new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
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
}

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
    if (target.open && target.matches('.clause')) setAddress(target.id, formQuery());
  },
  true,
);

/** Puts a button beside each command; what was cut is none to be copied. */
for (const command of document.querySelectorAll('figcaption + pre.command:not(.cut)')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-command';
  // Words of the style, so that a search does not find them everywhere.
  button.setAttribute('aria-label', 'Copy the command');
  // Before the words: these flow about it.
  command.previousElementSibling.prepend(button);
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

addEventListener('beforeprint', () => {
  for (const finding of document.querySelectorAll('.finding')) finding.open = true;
});

addEventListener('hashchange', follow);
follow();
