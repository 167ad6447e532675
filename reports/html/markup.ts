import { escaped } from '../printable.ts';

/** HTML that is safe to put into a page: whatever it holds of a target has been escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes. Texts are escaped; `undefined` and `false` are nothing. */
export type Content = string | number | Markup | undefined | false | readonly Content[];

/** A template for HTML that escapes every value but Markup. Values of attributes must stand in quotes. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  const text = strings.map((string, index) => string + textOf(values[index])).join('');
  return new Markup(text);
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escaped(String(content));
}

/** A text of the catalogue, with what stands in backticks as code. */
export function withCode(text: string): Markup[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
