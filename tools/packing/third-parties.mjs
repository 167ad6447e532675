// Makes `dist/THIRD-PARTIES.txt` and `dist/sbom.cdx.json` (CycloneDX): the programs and fonts of others that the package
// carries, and those that are installed with it. `npm sbom --omit dev` would leave out what development needs as well.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdfjsDirectory } from '../../helpers/pdf/pdfjs.mjs';

/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');
const lock = JSON.parse(read('package-lock.json'));
const { name, version } = lock.packages[''];
const legacyBuild = read(join(pdfjsDirectory, 'legacy/build/pdf.min.mjs'));
const [, coreJsVersion, coreJsOwner] =
  /version:"([\d.]+)",mode:.{1,40}copyright:"© (.+?)",/.exec(legacyBuild) ?? [];
if (coreJsVersion === undefined) throw new Error('pdfjs does not say which core-js it holds.');

/**
 * @typedef {object} Component
 * @property {string} name
 * @property {string} [version]
 * @property {string} [license] an SPDX expression; missing where its package.json has none
 * @property {string} [integrity] as in a lock file
 * @property {string} [purl] missing where it is no package
 * @property {string} [terms] of what is carried: the file with the licence, or its text
 */

/**
 * A package of the registry, by its name and version.
 * @param {string} name
 * @param {string} version
 */
function inRegistry(name, version) {
  return { name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

/** @type {Component[]} */
const carried = [
  {
    ...inRegistry('pdfjs-dist', JSON.parse(read(join(pdfjsDirectory, 'package.json'))).version),
    license: 'Apache-2.0',
    terms: 'dist/helpers/pdf/pdfjs/LICENSE',
  },
  {
    ...inRegistry('core-js', coreJsVersion),
    license: 'MIT',
    terms: `in the build of pdfjs\n\n${read('LICENSE').replace(/^Copyright.*$/m, `Copyright (c) ${coreJsOwner}`)}`,
  },
  {
    name: 'cmap-resources',
    license: 'BSD-3-Clause',
    terms: 'dist/helpers/pdf/pdfjs/cmaps/LICENSE',
  },
  {
    name: 'DejaVu Sans',
    version: '2.37',
    license: 'Bitstream-Vera',
    terms: 'dist/reference/export/fonts/DejaVuSans.LICENSE',
  },
];

/** @type {Component[]} */
const installed = Object.entries(lock.packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, locked]) => ({
    ...locked,
    ...inRegistry(path.replace(/^.*node_modules\//, ''), locked.version),
  }));

/** @param {Component} component */
const inWords = ({ name, version, license, terms }) =>
  [name, version, `(${license ?? 'see its LICENSE'})`, terms].filter(Boolean).join(' ');
const notices = [
  'Carried in this package, with the licence of each:',
  carried.map(inWords).join('\n\n'),
  'Installed with it, each with its licence:',
  installed.map(inWords).join('\n'),
];
writeFileSync('dist/THIRD-PARTIES.txt', `${notices.join('\n\n').replaceAll(/\n{3,}/g, '\n\n')}\n`);

/** @param {Component} component */
const asComponent = ({ name, version, purl, license, integrity }) => ({
  ...{ type: 'library', name, version, purl },
  ...(license !== undefined && { licenses: [{ expression: license }] }),
  ...(integrity !== undefined && {
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') },
    ],
  }),
});
const sbom = {
  ...{ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 },
  metadata: { component: { type: 'application', ...inRegistry(name, version) } },
  components: [...carried, ...installed].map(asComponent),
};
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbom, null, 2)}\n`);
