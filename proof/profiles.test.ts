// Profiles are stable, and enough to build a service from: `serve --profile` behaves like the service that was observed.

import { expect, test } from 'vitest';
import { rulesOfProfile } from '../reference/profile/rules-of-profile.ts';
import { profileOf, renderProfile } from '../reports/profile.ts';
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
      'another-media-type-is-400',
      'a-body-with-both-objects-assigns',
      'a-body-with-neither-object-is-422',
      'unassigning-an-unassigned-task-is-409',
      'an-empty-comment-becomes-null',
      'a-comment-over-2000-characters-is-refused',
      'data-version-stays-on-a-write',
      'locked-at-moves-on-a-write',
      'a-write-changes-the-status',
      'error-fields-are-texts',
      'answers-carry-no-further-headers',
    ],
  },
  {
    name: 'one that accepts more',
    part: 'json',
    ids: [
      'every-operation-succeeds-with-another-status',
      'errors-are-nested',
      'a-star-matches-any-version',
      'the-same-instant-is-the-same-version',
      'a-missing-media-type-is-read-as-json',
      'a-body-with-both-objects-unassigns',
      'a-body-with-neither-object-changes-nothing',
      'unassigning-an-unassigned-task-changes-nothing',
      'white-space-around-a-comment-is-taken-away',
      'data-version-jumps-on-a-write',
      'tasks-have-another-status',
      'only-one-error-field-is-set',
      'objects-carry-further-fields',
    ],
  },
  {
    name: 'one of other exports',
    part: 'export',
    ids: [
      'export-lists-are-read-as-comma-and-brackets',
      'export-bounds-may-be-days',
      'export-unknown-metadata-keys-are-ignored',
      'export-unknown-locales-are-english',
      'export-unknown-timezones-are-utc',
      'export-events-come-newest-first',
      'export-csv-has-technical-headings',
      'export-csv-has-semicolons-and-a-byte-order-mark',
      'export-dates-are-american-with-milliseconds',
      'export-pdf-has-cards-on-a3',
      'export-csv-is-called-text',
      'export-file-is-shown-inline',
      'export-answers-tell-the-length-of-every-file',
    ],
  },
  {
    name: 'one of yet other exports',
    part: 'export',
    ids: [
      'export-lists-are-read-as-indices',
      'export-bounds-with-any-offset-are-accepted',
      'export-unknown-parameters-are-refused',
      'export-locales-may-name-a-region',
      'export-file-types-may-be-in-upper-case',
      'export-csv-has-no-headings',
      'export-csv-has-tabs',
      'export-csv-quotes-every-cell',
      'export-dates-are-those-of-mail',
      'export-pdf-has-several-lines-an-event-on-letter-paper',
      'export-pdf-is-called-x-pdf',
      'export-file-has-no-name',
    ],
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
    expect(renderProfile(profileOf(other))).toBe(renderProfile(profileOf(one)));
  },
);

test.for(services)(
  'a service made from the profile of $name has the same profile',
  async ({ part, ids }) => {
    const observationsOf = async (rules: object) =>
      profileOf(await runAgainst({ rules, drawsPdfs: true }, scenariosOf[part])).observations;
    const chosen = allVariants.filter(({ id }) => ids.some((one) => one === id));
    expect(chosen).toHaveLength(ids.length);
    const observations = await observationsOf(
      Object.assign({}, ...chosen.map((variant) => variant.rules)),
    );
    const { rules, uncovered } = rulesOfProfile({ observations });
    expect(uncovered).toEqual([]);
    expect(await observationsOf(rules)).toEqual(observations);
  },
);
