import { localDate, localTime } from '../../reference/export/dates.ts';
import { type ExportQuery, ExportRefused } from '../../reference/export/query.ts';
import { type ZoneOffset, zoneOffset } from '../../reference/export/zone.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { type ExportMoment, exportRules } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { nanoseconds } from '../exports.ts';
import { type Fault, fault, table } from './fault.ts';

const day = 24 * 60 * 60 * 1000;

/** Minutes ahead of UTC, made from those that are right. */
const offsets = (wrongly: (right: ZoneOffset, moment: ExportMoment) => ZoneOffset) => ({
  zoneOffset: (timezone: string, moment: ExportMoment) => wrongly(zoneOffset(timezone), moment),
});

/** One offset for all dates: that of one instant. */
const offsetOf = (instantIn: (moment: ExportMoment) => number | undefined) =>
  offsets((right, moment) => {
    const at = instantIn(moment);
    return at === undefined ? right : () => right(at);
  });

/** Refuses zones by their names. */
const refusingZones = (isRefused: (name: string) => boolean) => ({
  readTimezone: (value: string | undefined) => {
    if (value !== undefined && isRefused(value)) {
      throw new ExportRefused(`timezone ${value} is not known`);
    }
    return exportRules.readTimezone(value);
  },
});

const inMs = (at: bigint | undefined) =>
  at === undefined ? undefined : Number(at / nanoseconds.millisecond);

const inDates = {
  breaks: ['export.timezone-formats-the-dates'],
  mayBreak: ['export.answers-200'],
} as const;

/** Keeps only some of the events, depending on the query. */
const keeping = (
  isKept: (event: AuditEvent, query: ExportQuery) => boolean,
): Pick<Rules, 'exportedEvents'> => ({
  exportedEvents: (selected, query) => selected.filter((event) => isKept(event, query)),
});

const inJanuary = Date.UTC(2026, 0, 15);
const inJuly = Date.UTC(2026, 6, 15);

const timezones: readonly Fault[] = [
  ...table(fault, inDates, {
    'export-timezone-is-ignored': offsets(() => () => 0),
    'export-timezone-has-no-daylight-saving': offsets(
      (right) => () => Math.min(right(inJanuary), right(inJuly)),
    ),
    'export-timezone-always-has-daylight-saving': offsets(
      (right) => () => Math.max(right(inJanuary), right(inJuly)),
    ),
    'export-daylight-saving-begins-and-ends-a-week-late': offsets(
      (right) => (at) => right(at - 7 * day),
    ),
    'export-daylight-saving-is-turned-round': offsets(
      (right) => (at) => right(inJanuary) + right(inJuly) - right(at),
    ),
    'export-timezone-has-the-opposite-sign': offsets((right) => (at) => -right(at)),
    'export-timezone-is-cut-to-whole-hours': offsets(
      (right) => (at) => Math.trunc(right(at) / 60) * 60,
    ),
    'export-timezone-is-applied-twice': offsets((right) => (at) => 2 * right(at)),
    'export-dates-have-no-timezone-but-that-of-the-server': offsets(() => () => 60),
    'export-timezone-is-named-but-not-applied': {
      dateStyle: (query) => (time) =>
        localDate({ ...localTime(time.at, 0, time.locale), offset: query.timezone }),
    },
    'export-timezone-has-the-offset-of-today': offsetOf(({ now }) => now),
    'export-timezone-has-the-offset-of-the-first-event': offsetOf(({ first }) => first),
    'export-timezone-has-the-offset-of-the-range-start': offsetOf(({ query }) => inMs(query.start)),
    'export-timezone-has-the-offset-of-the-range-end': offsetOf(({ query }) => inMs(query.end)),
    'export-timezone-of-etc-has-the-opposite-sign': offsets((right, { query }) =>
      query.timezone.startsWith('Etc/') ? (at) => -right(at) : right,
    ),
    'export-timezone-is-cut-to-half-hours': offsets(
      (right) => (at) => Math.trunc(right(at) / 30) * 30,
    ),
    'export-timezone-is-taken-as-an-abbreviation-only': refusingZones((name) => name.includes('/')),
    'export-timezone-of-three-parts-is-refused': refusingZones(
      (name) => name.split('/').length > 2,
    ),
    'export-timezone-of-etc-is-refused': refusingZones((name) => name.startsWith('Etc/')),
    'export-timezone-utc-is-refused': refusingZones((name) => name === 'UTC'),
    'export-timezone-is-taken-in-europe-only': {
      readTimezone: (value) => {
        const timezone = exportRules.readTimezone(value);
        return timezone.startsWith('Europe/') ? timezone : 'UTC';
      },
    },
  }),
  fault(
    'export-timezone-loses-the-hour-that-comes-twice',
    ['export.timezone-keeps-the-events'],
    keeping(({ at }, { timezone }) => {
      const offsetAt = zoneOffset(timezone);
      return offsetAt(at) >= offsetAt(at - day);
    }),
  ),
  fault(
    'export-timezone-loses-the-events-of-the-first-day',
    { breaks: ['export.timezone-keeps-the-events'], mayBreak: ['export.locale-keeps-the-events'] },
    {
      exportedEvents: (selected, { timezone }) => {
        const first = selected[0]?.at ?? 0;
        return timezone === 'UTC' ? selected : selected.filter(({ at }) => at >= first + day);
      },
    },
  ),
  fault('export-timezone-is-required', ['export.parameters-are-optional', 'export.answers-200'], {
    readTimezone: (value) => {
      if (value === undefined) throw new ExportRefused('timezone is missing');
      return exportRules.readTimezone(value);
    },
  }),
];

const locales: readonly Fault[] = [
  ...table(fault, ['export.locale-defaults-to-en'], {
    'export-locale-defaults-to-de': {
      readLocale: (value) => exportRules.readLocale(value ?? 'de'),
    },
    'export-locale-defaults-to-fr': {
      readLocale: (value) => exportRules.readLocale(value ?? 'fr'),
    },
  }),
  fault('export-locale-is-required', ['export.parameters-are-optional', 'export.answers-200'], {
    readLocale: (value) => {
      if (value === undefined) throw new ExportRefused('locale is missing');
      return exportRules.readLocale(value);
    },
  }),
  fault(
    'export-locale-en-is-refused',
    { breaks: ['export.locale-defaults-to-en'], mayBreak: ['export.answers-200'] },
    {
      readLocale: (value) => {
        if (value === 'en') throw new ExportRefused('locale en is the default');
        return exportRules.readLocale(value);
      },
    },
  ),
  ...table(fault, ['export.locale-keeps-the-events'], {
    'export-locale-loses-events-without-comments': keeping(
      ({ comment }, { locale }) => locale === 'en' || comment !== null,
    ),
    'export-locale-loses-types-that-are-not-translated': keeping(
      ({ eventType }, { locale }) => locale === 'en' || eventType !== 'screening',
    ),
    'export-locale-loses-the-last-event': {
      exportedEvents: (selected, { locale }) =>
        locale === 'en' ? selected : selected.slice(0, -1),
    },
    'export-locale-switches-lists-off': {
      queryActedOn: (query) => (query.locale === 'en' ? query : { ...query, lists: {} }),
    },
  }),
  ...(['auditee_id', 'event_type', 'sub_type', 'system_source'] as const).map((filter) =>
    fault(
      `export-locale-translates-values-of-${filter.replace('_', '-')}`,
      ['export.locale-keeps-the-events'],
      {
        queryActedOn: (query) => {
          const values = query.lists[filter];
          if (query.locale === 'en' || values === undefined) return query;
          const translated = values.map((value) => `${value} auf ${query.locale}`);
          return { ...query, lists: { ...query.lists, [filter]: translated } };
        },
      },
    ),
  ),
];

/** Dates written in another zone than the one asked for, and locales that do more than they should (4. Export audit events). */
export const exportDateFaults: readonly Fault[] = [...timezones, ...locales];
