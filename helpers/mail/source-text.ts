import PostalMime from 'postal-mime';

/** Subject, text and HTML of an email from its source (RFC 5322), as one text: encoded words and bodies decoded. */
export async function textOfSource(source: string | Uint8Array): Promise<string> {
  const { subject = '', text = '', html = '' } = await PostalMime.parse(source);
  return [subject, text, html].join('\n');
}
