// Profiles are stable, and enough to build a service from: `serve --profile` behaves like the service that was observed.

import { expect, test } from 'vitest';
import { rulesOfProfile } from '../reference/profile/rules-of-profile.ts';
import { profileOf } from '../reports/fidelity.ts';
import { jsonText } from '../reports/printable.ts';
import { runAgainst } from './in-process.ts';
import { scenariosOf } from './parts.ts';
import { allVariants } from './variants.ts';

/** Services that differ in many ways at once; no two of these variants replace the same rule. */
const services = [
  {
    name: 'one of other statuses',
    part: 'json',
    ids: [
      'writes-succeed-with-201',
      'errors-are-problem-json',
      'a-missing-if-match-is-412',
      'an-invalid-body-is-422',
      'a-quoted-or-weak-version-is-accepted',
      'an-id-that-is-not-uuid-shaped-is-422',
      'answers-carry-no-further-headers',
      'an-empty-comment-becomes-null',
      'unassigning-an-unassigned-task-is-409',
    ],
    notReproduced: ['comment.when-empty', 'unassign.on-an-unassigned-task'],
  },
  {
    name: 'one that accepts more',
    part: 'json',
    ids: [
      'every-operation-succeeds-with-another-status',
      'errors-are-nested',
      'a-star-matches-any-version',
      'tasks-have-another-status',
      'objects-carry-further-fields',
      'white-space-around-a-comment-is-taken-away',
    ],
    notReproduced: ['comment.surrounding-white-space'],
  },
  {
    name: 'one of other exports',
    part: 'export',
    ids: [
      'export-lists-are-read-as-comma-and-brackets',
      'export-unknown-locales-are-english',
      'export-events-come-newest-first',
      'export-csv-has-technical-headings',
      'export-csv-has-semicolons-and-a-byte-order-mark',
      'export-dates-are-american-with-milliseconds',
      'export-csv-is-called-text',
      'export-file-is-shown-inline',
      'export-answers-tell-the-length-of-every-file',
    ],
    // Its headings are the same in every language.
    notReproduced: ['export.supported-locales', 'export.unknown-locale'],
  },
  {
    name: 'one of yet other exports',
    part: 'export',
    ids: [
      'export-lists-are-read-as-indices',
      'export-csv-has-no-headings',
      'export-csv-has-tabs',
      'export-csv-quotes-every-cell',
      'export-dates-are-those-of-mail',
      'export-pdf-is-called-x-pdf',
      'export-file-has-no-name',
    ],
    notReproduced: ['export.supported-locales'],
  },
] as const;

test.for(['json', 'export'] as const)(
  'a profile does not depend on the order of the scenarios: %s',
  async (part) => {
    const scenarios = scenariosOf[part];
    const [one, other] = [
      await runAgainst({ drawsPdfs: true }, scenarios),
      await runAgainst({ drawsPdfs: true }, scenarios.toReversed()),
    ];
    expect(jsonText(profileOf(other))).toBe(jsonText(profileOf(one)));
  },
);

test.for(services)(
  'a service made from the profile of $name has the same profile, but for what it says it does not reproduce',
  async ({ part, ids, notReproduced }) => {
    const observationsOf = async (rules: object) =>
      profileOf(await runAgainst({ rules, drawsPdfs: true }, scenariosOf[part])).observations;
    const chosen = allVariants.filter(({ id }) => ids.some((one) => one === id));
    expect(chosen).toHaveLength(ids.length);
    const observations = await observationsOf(
      Object.assign({}, ...chosen.map((variant) => variant.rules)),
    );
    const { rules, uncovered } = rulesOfProfile({ observations });
    expect(uncovered).toEqual(notReproduced);
    const rest = (all: object) =>
      Object.entries(all).filter(([id]) => !uncovered.some((one) => one === id));
    expect(rest(await observationsOf(rules))).toEqual(rest(observations));
  },
);
