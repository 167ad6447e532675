import type { ExportOutcome } from '../../schemas/observations.ts';
import { isLocale } from '../export/columns.ts';
import {
  type BoundName,
  ExportRefused,
  type FileType,
  instantOf,
  readListIn,
} from '../export/query.ts';
import { isTimezone } from '../export/zone.ts';
import type { Rules } from '../rules.ts';
import { type Adaptations, common, ifKnown, outcomeOf } from './adaptation.ts';

/** What the service can do with a value: refuse it with 400, read it, or take it as if it were not there. */
type Reaction = 'refuse' | 'read' | 'ignore';

/** The reaction that has this outcome; undefined where the service has none. */
export function reactionTo(
  outcome: ExportOutcome | undefined,
): Exclude<Reaction, 'read'> | undefined {
  if (outcome?.status === 400) return 'refuse';
  const isIgnored = outcome?.gives === 'the same events' || outcome?.gives === 'as without it';
  return isIgnored && outcome.status === 200 ? 'ignore' : undefined;
}

/** What came of a value of a parameter. */
function outcomeOfValue<
  Fact extends {
    readonly parameter: string;
    readonly value: string;
    readonly outcome: ExportOutcome;
  },
>(facts: readonly Fact[], parameter: string, value: string): ExportOutcome | undefined {
  const matching = facts.filter((fact) => fact.parameter === parameter && fact.value === value);
  return common(matching.map(({ outcome }) => outcome));
}

/** A rule that reacts to bounds as `reaction` says, and leaves those that it says nothing about as they are. */
const boundRule = (
  reaction: (value: string, name: BoundName) => Reaction | undefined,
  rules: Rules,
): Pick<Rules, 'readBound'> => ({
  readBound: (value, name) => {
    if (value === undefined) return rules.readBound(value, name);
    const reactions = {
      refuse: () => {
        throw new ExportRefused(`${name} is not an ISO 8601 UTC datetime`);
      },
      read: () => instantOf(new Date(value).toISOString()),
      ignore: () => undefined,
    };
    const found = reaction(value, name);
    return found === undefined ? rules.readBound(value, name) : reactions[found]();
  },
});

const isNullText = (value: string | undefined): value is '' | 'null' =>
  value === '' || value === 'null';

const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

const hasNoSeconds = (value: string): boolean => /T\d\d:\d\dZ$/.test(value);

/** How parameters are read (4. Export audit events: query parameters). */
export const exportRequestAdaptations: Adaptations = {
  'export.array-encoding': (facts) =>
    facts.every(({ values }) => values === 'several')
      ? { readList: readListIn(facts.map(({ encoding }) => encoding)) }
      : undefined,

  'export.case-of-filter-values': (facts) => {
    const ignoring = new Set(
      facts.filter(({ caseCounts }) => !caseCounts).map((one) => one.filter),
    );
    const isSame = (filter: string, value: string | undefined, wanted: string): boolean =>
      [...ignoring].some((one) => one === filter)
        ? value?.toLowerCase() === wanted.toLowerCase()
        : value === wanted;
    return {
      matchesList: (value, wanted, filter) => wanted.some((text) => isSame(filter, value, text)),
      matchesMetadata: (value, wanted, key) => isSame(`metadata[${key}]`, value, wanted),
    };
  },

  /** The service takes them either way. */
  'export.brackets-of-metadata': (facts) =>
    facts.every(({ honoured }) => honoured) ? {} : undefined,

  'export.unknown-metadata-key': (facts) =>
    ifKnown(reactionTo(outcomeOfValue(facts, 'metadata[no_such_key]', 'x')), (reaction) => ({
      unknownMetadataKey: (key) => {
        if (reaction === 'ignore') return;
        throw new ExportRefused(`metadata[${key}] is not an allowed key`);
      },
    })),

  'export.malformed-range': (facts, rules) => {
    const noDate = reactionTo(outcomeOfValue(facts, 'range_start', 'not-a-time'));
    const reactionToShort = (value: string): Reaction | undefined => {
      const outcome = outcomeOfValue(facts, 'range_start', value) ?? { status: 400 };
      return outcome.gives === 'from that day on' ? 'read' : reactionTo(outcome);
    };
    const [day, noSeconds] = [reactionToShort('a day'), reactionToShort('no seconds')];
    if (noDate === undefined || day === undefined || noSeconds === undefined) return undefined;
    return boundRule((value) => {
      if (isDay(value)) return day;
      if (hasNoSeconds(value)) return noSeconds;
      return Number.isNaN(Date.parse(value)) && !isNullText(value) ? noDate : undefined;
    }, rules);
  },

  'export.null-range': (facts, rules) => {
    const of = (parameter: string) => ({
      '': reactionTo(outcomeOfValue(facts, parameter, '')),
      null: reactionTo(outcomeOfValue(facts, parameter, 'null')),
    });
    const [bounds, zones] = [of('range_start'), of('timezone')];
    const reactions = [bounds, zones].flatMap((each) => Object.values(each));
    if (reactions.includes(undefined)) return undefined;
    return {
      ...boundRule((value) => (isNullText(value) ? bounds[value] : undefined), rules),
      readTimezone: (value) => {
        if (!isNullText(value)) return rules.readTimezone(value);
        if (zones[value] === 'ignore') return rules.readTimezone(undefined);
        throw new ExportRefused('timezone is not a time zone');
      },
    };
  },

  'export.range-with-offset': (facts, rules) => {
    const reactionWith = (offset: '+00:00' | '+02:00'): Reaction | undefined => {
      const outcome = outcomeOf(facts, offset);
      if (outcome?.status === 400) return 'refuse';
      return outcome?.gives === 'the same events' ? 'read' : undefined;
    };
    const [utc, other] = [reactionWith('+00:00'), reactionWith('+02:00')];
    if (utc === undefined || other === undefined) return undefined;
    return boundRule((value) => {
      const offset = /T.*[+-](\d\d:\d\d)$/.exec(value)?.[1];
      if (offset === undefined) return undefined;
      return offset === '00:00' ? utc : other;
    }, rules);
  },

  'export.unknown-timezone': (facts, rules) =>
    ifKnown(reactionTo(outcomeOfValue(facts, 'timezone', 'Nowhere/Nothing')), (reaction) => ({
      readTimezone: (value) => {
        const isKnown = value === undefined || isNullText(value) || isTimezone(value);
        return isKnown || reaction === 'refuse' ? rules.readTimezone(value) : 'UTC';
      },
    })),

  'export.unknown-file-type': (facts, rules) => {
    const typeOf = (value: string): FileType | 'refuse' | undefined => {
      const outcome = outcomeOfValue(facts, 'file_type', value);
      if (outcome?.status === 400) return 'refuse';
      if (outcome?.gives === 'a PDF') return 'pdf';
      return outcome?.gives === 'the same events' ? 'csv' : undefined;
    };
    const [unknown, capitals] = [typeOf('xlsx'), typeOf('CSV')];
    if (unknown === undefined || capitals === undefined) return undefined;
    return {
      readFileType: (value = 'csv') => {
        if (value === 'csv' || value === 'pdf') return rules.readFileType(value);
        const isInCapitals = /^(csv|pdf)$/i.test(value);
        if (isInCapitals && capitals === 'csv') return rules.readFileType(value.toLowerCase());
        const type = isInCapitals ? capitals : unknown;
        return type === 'refuse' ? rules.readFileType(value) : type;
      },
    };
  },

  'export.unknown-locale': (facts, rules) => {
    const reactionWith = (value: string) => reactionTo(outcomeOfValue(facts, 'locale', value));
    const [unknown, region, capitals] = ['xx', 'en-US', 'EN'].map(reactionWith);
    if (unknown === undefined || region === undefined || capitals === undefined) return undefined;
    return {
      readLocale: (value = 'en') => {
        if (isLocale(value)) return rules.readLocale(value);
        const language = value.replace(/-[A-Z]{2}$/, '');
        const lower = value.toLowerCase();
        if (isLocale(language)) return rules.readLocale(region === 'refuse' ? value : language);
        if (isLocale(lower)) return rules.readLocale(capitals === 'refuse' ? value : lower);
        return unknown === 'refuse' ? rules.readLocale(value) : 'en';
      },
    };
  },

  /** Comes after unknown locales: those that were asked for one by one are known. */
  'export.supported-locales': (facts, rules) => {
    const known = new Map(facts.map((fact) => [fact.locale, fact]));
    const isPossible = ({ locale, status, reads }: (typeof facts)[number]): boolean =>
      status === 400 || reads === 'as without it' || (reads === 'differently' && isLocale(locale));
    if (!facts.every(isPossible)) return undefined;
    return {
      readLocale: (value = 'en') => {
        const { status, reads } = known.get(value) ?? {};
        if (status === 400) throw new ExportRefused(`locale ${value} is not supported`);
        return reads === 'as without it' ? 'en' : rules.readLocale(value);
      },
    };
  },
};
