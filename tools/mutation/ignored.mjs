import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What is not mutated because it is no behaviour, by the name of the function, constant or field that it stands in. */
const names = /** @type {Readonly<Record<string, string>>} */ ({
  detail: 'texts for people who read an error',
  heading: 'headings of columns are open',
  metadataHeadings: 'headings of columns are open',
  title: 'the title of a PDF is open',
  pdfForm: 'the layout of a PDF is open',
  contentDisposition: 'the name of the file is open',
  dateStyles: 'ways of writing dates that only variants use',
  example: 'an example for the profile of a date style',
  patternOf: 'for profiles',
  fractional: 'for variants',
  dateKey: 'the key of a cache that makes tests quick',
  cachedRows: 'a cache that makes tests quick',
  embeddedFonts: 'the fonts of a PDF are open',
  runsOf: 'the fonts of a PDF are open',
  plain: 'the fonts of a PDF are open',
  eastAsian: 'the fonts of a PDF are open',
  locales: 'the list of locales is open',
});

/** Calls whose argument is a text for people: by the name that is called, the place of the argument. */
const texts = /** @type {Readonly<Record<string, number>>} */ ({
  ExportRefused: 0,
  refused: 0,
  invalid: 0,
  refusal: 1,
});

/**
 * @typedef {{ type: string, name?: string, id?: Node, key?: Node, callee?: Node }} Node
 * @typedef {{ node: Node, parent?: Node, key?: string | number | null, listKey?: string }} Path
 */

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'no behaviour', {
    shouldIgnore(untyped) {
      // Stryker leaves the type of a path of Babel open.
      const { node, parent, key, listKey } = /** @type {Path} */ (untyped);
      const declared = node.id?.name ?? node.key?.name;
      if (declared !== undefined && Object.hasOwn(names, declared)) return names[declared];
      const called = parent?.callee?.name;
      if (listKey === 'arguments' && called !== undefined && texts[called] === key) {
        return 'texts for people who read an error';
      }
      return undefined;
    },
  }),
];
