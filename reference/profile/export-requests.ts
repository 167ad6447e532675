import { type ListEncoding, readListIn } from '../export/list-encodings.ts';
import { isLocale } from '../export/locale.ts';
import { ExportRefused } from '../export/refusal.ts';
import { isTimezone } from '../export/zone.ts';
import type { BoundName } from '../rules/export-query.ts';
import type { Rules } from '../rules.ts';
import type { Adaptation, Adaptations } from './adaptation.ts';

/** What the service can do with a value: refuse it with 400, heed it, or take it as if it were not there. */
type Reaction = 'refuse' | 'heed' | 'ignore';

/** The words of observations for them; what else was seen, no rule does. */
const reactions: Readonly<Record<string, Reaction>> = {
  '400': 'refuse',
  '200, the same events': 'ignore',
  '200, as without it': 'ignore',
};

function reactionTo(outcome: string | undefined): Reaction | undefined {
  return outcome === undefined ? undefined : reactions[outcome];
}

const encodings: readonly ListEncoding[] = ['repeat', 'brackets', 'indices', 'comma'];

const arrayEncoding: Adaptation = ({ values }) => {
  const read = encodings.filter((encoding) => values.includes(encoding));
  return read.length === values.length ? { readList: readListIn(read) } : undefined;
};

const unknownMetadataKey: Adaptation = (seen) => {
  const reaction = reactionTo(seen.of('metadata[no_such_key]=x'));
  if (reaction === undefined) return undefined;
  return {
    unknownMetadataKey: (key) => {
      if (reaction === 'refuse') throw new ExportRefused(`metadata[${key}] is not an allowed key`);
    },
  };
};

/** A rule for bounds that reads those of one form in its own way, and leaves the others. */
function boundsOfForm(
  rules: Rules,
  form: (value: string, name: BoundName) => Reaction | undefined,
): Rules['readBound'] {
  return (value, name) => {
    const reaction = value === undefined ? undefined : form(value, name);
    if (reaction === 'refuse') throw new ExportRefused(`${name} is not an ISO 8601 UTC datetime`);
    if (reaction === 'ignore') return undefined;
    return reaction === 'heed' ? Date.parse(value ?? '') : rules.readBound(value, name);
  };
}

const malformedBounds: Adaptation = (seen, rules) => {
  const text = reactionTo(seen.of('range_start=not-a-time'));
  const outcome = seen.of('range_start as a day') ?? '400';
  const day = outcome === '200, from that day on' ? 'heed' : reactionTo(outcome);
  if (text === undefined || day === undefined) return undefined;
  return {
    readBound: boundsOfForm(rules, (value) => {
      if (/^\d{4}-\d\d-\d\d$/.test(value)) return day;
      const isNoDate = value !== '' && value !== 'null' && Number.isNaN(Date.parse(value));
      return isNoDate ? text : undefined;
    }),
  };
};

const nullBounds: Adaptation = (seen, rules) => {
  const of = (name: string, value: string) => reactionTo(seen.of(`${name}=${value}`));
  const bounds = { '': of('range_start', ''), null: of('range_start', 'null') };
  const zones = { '': of('timezone', ''), null: of('timezone', 'null') };
  const all = [...Object.values(bounds), ...Object.values(zones)];
  if (all.includes(undefined)) return undefined;
  return {
    readBound: boundsOfForm(rules, (value) =>
      value === '' || value === 'null' ? bounds[value] : undefined,
    ),
    readTimezone: (value) => {
      if (value !== '' && value !== 'null') return rules.readTimezone(value);
      if (zones[value] === 'refuse') throw new ExportRefused('timezone is not a time zone');
      return rules.readTimezone(undefined);
    },
  };
};

const offsets: Adaptation = (seen, rules) => {
  const taken: Readonly<Record<string, Reaction>> = {
    '200, the same events': 'heed',
    '400': 'refuse',
  };
  const utc = taken[seen.of('+00:00') ?? ''];
  const other = taken[seen.of('+02:00, two hours on') ?? ''];
  if (utc === undefined || other === undefined) return undefined;
  return {
    readBound: boundsOfForm(rules, (value) => {
      const offset = /T.*([+-]\d\d:\d\d)$/.exec(value)?.[1];
      if (offset === undefined) return undefined;
      return offset.endsWith('00:00') ? utc : other;
    }),
  };
};

const unknownTimezone: Adaptation = (seen, rules) => {
  const reaction = reactionTo(seen.of('timezone=Nowhere/Nothing'));
  if (reaction === undefined) return undefined;
  return {
    readTimezone: (value) => {
      const isUnknown = value !== undefined && value !== '' && !isTimezone(value);
      return isUnknown && value !== 'null' && reaction === 'ignore'
        ? 'UTC'
        : rules.readTimezone(value);
    },
  };
};

const unknownFileType: Adaptation = (seen, rules) => {
  const kinds: Readonly<Record<string, 'csv' | 'pdf' | 'refuse'>> = {
    '400': 'refuse',
    '200, the same events': 'csv',
    '200, a PDF': 'pdf',
  };
  const unknown = kinds[seen.of('file_type=xlsx') ?? ''];
  const capitals = kinds[seen.of('file_type=CSV') ?? ''];
  if (unknown === undefined || capitals === undefined) return undefined;
  return {
    readFileType: (value = 'csv') => {
      const isKnown = value === 'csv' || value === 'pdf';
      const isInCapitals = !isKnown && /^(csv|pdf)$/i.test(value);
      if (isInCapitals && capitals === 'csv') return rules.readFileType(value.toLowerCase());
      const kind = isInCapitals ? capitals : unknown;
      return isKnown || kind === 'refuse' ? rules.readFileType(value) : kind;
    },
  };
};

const unknownLocale: Adaptation = (seen, rules) => {
  const unknown = reactionTo(seen.of('locale=xx'));
  const region = reactionTo(seen.of('locale=en-US'));
  const capitals = reactionTo(seen.of('locale=EN'));
  if ([unknown, region, capitals].includes(undefined)) return undefined;
  return {
    readLocale: (value = 'en') => {
      if (isLocale(value)) return rules.readLocale(value);
      const base = value.replace(/-[A-Z]{2}$/, '');
      if (base !== value && isLocale(base)) {
        return rules.readLocale(region === 'refuse' ? value : base);
      }
      const lower = value.toLowerCase();
      if (isLocale(lower)) return rules.readLocale(capitals === 'refuse' ? value : lower);
      return unknown === 'refuse' ? rules.readLocale(value) : 'en';
    },
  };
};

/** Comes after unknown locales: those that were asked for one by one are known. */
const supportedLocales: Adaptation = (seen, rules) => {
  const isDone = ([locale, outcome]: readonly [string, string]): boolean =>
    outcome === '400' ||
    outcome === 'reads as without it' ||
    (outcome === 'reads differently' && isLocale(locale));
  const { outcomes } = seen;
  if (!outcomes.every(isDone)) return undefined;
  const told = new Map(outcomes);
  return {
    readLocale: (value) => {
      const outcome = told.get(value ?? 'en');
      if (outcome === '400') throw new ExportRefused(`locale ${value} is not supported`);
      return outcome === 'reads as without it' ? 'en' : rules.readLocale(value);
    },
  };
};

/** How parameters are read (4. Export audit events: query parameters). */
export const exportRequestAdaptations: Adaptations = {
  'export.array-encoding': arrayEncoding,
  'export.unknown-metadata-key': unknownMetadataKey,
  'export.malformed-range': malformedBounds,
  'export.null-range': nullBounds,
  'export.range-with-offset': offsets,
  'export.unknown-timezone': unknownTimezone,
  'export.unknown-file-type': unknownFileType,
  'export.unknown-locale': unknownLocale,
  'export.supported-locales': supportedLocales,
};
