/** Languages in which this service writes exports; the document does not list any (4. Export audit events). */
export const locales = ['en', 'de', 'fr'] as const;

export type Locale = (typeof locales)[number];

export function isLocale(text: string): text is Locale {
  return locales.some((locale) => locale === text);
}

/** A text in every language. */
export type Translations = Readonly<Record<Locale, string>>;
