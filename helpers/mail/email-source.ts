// Apart from mailbox.ts, which every run loads: only who reads email needs the parser.
import PostalMime from 'postal-mime';

/** Subject, text and HTML of an email from its source (RFC 5322), as one text: encoded words and bodies decoded. */
export async function textOfSource(source: string | Uint8Array): Promise<string> {
  const { subject = '', text = '', html = '' } = await PostalMime.parse(source);
  return [subject, text, html].join('\n');
}

/** Where a server notes for whom an email was, in a mailbox that takes the email of many. */
const deliveryHeaders = ['delivered-to', 'x-original-to', 'envelope-to'];

/** The headers that say to whom an email went. */
export const recipientHeaders = ['to', 'cc', 'bcc', ...deliveryHeaders];

/** To whom an email went, by its headers; as they write it, some perhaps more than once. */
export async function recipientsInHeaders(headers: Uint8Array): Promise<string[]> {
  const email = await PostalMime.parse(headers);
  const noted = email.headers
    .filter(({ key }) => deliveryHeaders.includes(key))
    .map(({ value }) => value.replace(/^<|>$/g, ''));
  const named = [email.to, email.cc, email.bcc].flatMap((list) =>
    (list ?? []).flatMap((one) => (one.group === undefined ? [one] : one.group)),
  );
  return [...named.map(({ address }) => address ?? ''), ...noted];
}
