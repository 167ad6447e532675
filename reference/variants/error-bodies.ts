import { faker } from '@faker-js/faker';
import type { Refusal } from '../refusal.ts';
import type { Variant } from './variant.ts';

const json = 'application/json';

const errorBody = (
  id: string,
  contentType: string | undefined,
  write: (refusal: Refusal) => unknown,
): Variant => ({
  id,
  opens: 'errors.body-shape',
  rules: {
    errorBody(refusal) {
      const body = write(refusal);
      return { contentType, text: typeof body === 'string' ? body : JSON.stringify(body) };
    },
  },
});

/** Bodies of errors: any shape, or none (Errors). */
export const errorBodyVariants: readonly Variant[] = [
  errorBody('errors-have-no-body', undefined, () => ''),
  errorBody('errors-are-an-empty-json-object', json, () => ({})),
  errorBody('errors-are-null', json, () => null),
  errorBody('errors-are-problem-json', 'application/problem+json', ({ status, title, detail }) => ({
    type: 'about:blank',
    status,
    title,
    detail,
  })),
  errorBody('errors-are-a-message', json, ({ detail }) => ({ message: detail })),
  errorBody('errors-are-a-list', json, ({ status, title, detail }) => ({
    errors: [{ code: `E${status}`, title, detail }],
  })),
  errorBody('errors-are-nested', json, ({ status, title }) => ({
    error: { code: status, message: title, target: { field: null } },
  })),
  errorBody('errors-are-json-text', json, ({ title }) => JSON.stringify(title)),
  errorBody('errors-are-plain-text', 'text/plain; charset=utf-8', ({ detail }) => detail),
  errorBody('errors-are-html', 'text/html', ({ status, title }) => {
    const heading = `<h1>${status} ${title}</h1>`;
    return `<!doctype html><title>${title}</title>${heading}`;
  }),
  errorBody('errors-are-xml', 'application/xml', ({ title }) => `<error>${title}</error>`),
  errorBody('errors-are-of-another-shape-each-time', json, ({ title }) =>
    faker.helpers.arrayElement([{ title }, [title], { error: { title } }, JSON.stringify(title)]),
  ),
  errorBody('errors-are-text-without-a-media-type', undefined, ({ title }) => title),
];
