import type { Exchange } from '../helpers/http/exchange.ts';
import { shellQuoted } from './commands.ts';

/**
 * The curl command that repeats an exchange, on several lines. `$API_KEY` stands in place of whichever key the
 * request carried: records hold none.
 */
export function renderCurl({ request }: Exchange): string {
  const { method, url, headers, body } = request;
  const parts = [
    // -g: curl would read the brackets of metadata[…] as a pattern.
    `curl -i -g -X ${method} ${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `-H ${header(name, value)}`),
    ...(body === undefined ? [] : [`--data-binary ${shellQuoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function header(name: string, value: string): string {
  if (value === '') return shellQuoted(`${name};`);
  return name.toLowerCase() === 'apikey' ? `"${name}: $API_KEY"` : shellQuoted(`${name}: ${value}`);
}
