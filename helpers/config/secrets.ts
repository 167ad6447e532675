import { schemaOf, type Variable } from '../../schemas/configuration.ts';
import { userInfoOf } from './addresses.ts';

/** A shorter password may be a word, which stands in records for other reasons. */
const minPassword = 8;

/**
 * What must not appear in any record: keys, and passwords in each form in which they may come back.
 * @param values of variables, valid or not: messages about wrong ones must not hold secrets either
 */
export function secretsIn(values: Readonly<Partial<Record<Variable, string>>>): string[] {
  // Object.entries forgets which names there are.
  return (Object.entries(values) as [Variable, string][]).flatMap(([name, value]) => {
    const { confidential, format } = schemaOf(name);
    if (confidential === 'key') return [value];
    const passwords = confidential === 'password' ? [value] : [];
    if (format === 'url') passwords.push(...passwordsIn(value));
    return passwords.filter((password) => password.length >= minPassword);
  });
}

/** The password in an address, as it stands there and decoded, and as a header would carry it. */
function passwordsIn(url: string): string[] {
  const { user = '', password } = userInfoOf(url);
  if (password === undefined) return [];
  const header = Buffer.from(`${user}:${password}`).toString('base64');
  return [new URL(url).password, password, header];
}
