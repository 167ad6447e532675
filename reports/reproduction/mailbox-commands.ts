import type { Results } from '../../schemas/results.ts';
import { shellQuoted } from '../commands.ts';

/*
 * Shell commands that read the mailbox of a target: they count the messages that come after a write, and say to whom the latest
 * went. They hold no address, and read what curl can: Mailpit, MailHog and MailDev, as the suite does.
 */

const variables = ['MAILBOX_URL', 'MAILBOX_USER', 'MAILBOX_PASSWORD', 'MAILBOX_TOKEN'] as const;

/** The paths at which mail catchers list their messages, in an order in which none is taken for another one. */
const lists = [
  "'/api/v2/messages?limit=50'",
  "'/api/v1/messages?limit=50'",
  '/email',
  '/api/email',
] as const;

/** The address of the mailbox and what it asks for, of the environment or else of the file of variables; and how it is read. */
export function mailboxLines({ envFile = '.env' }: Results['target']): string[] {
  const file = shellQuoted(envFile);
  return [
    ...variables.map(
      (name) =>
        `${name}=\${${name}:-$(sed -n 's/^${name}=//p' ${file} 2> /dev/null | tr -d "\\"'")}`,
    ),
    '# Prints the messages of a mail catcher, as it lists them; fails where curl cannot read any. Prints the ids of messages.',
    `mail() { case $MAILBOX_URL in http*) for list in ${lists.join(' ')}; do messages=$(curl -sSf -g "\${MAILBOX_URL%/}$list" \${MAILBOX_USER:+"-u$MAILBOX_USER:$MAILBOX_PASSWORD"} \${MAILBOX_TOKEN:+"-HAuthorization: Bearer $MAILBOX_TOKEN"} 2> /dev/null); case $messages in [[{]*) echo "$messages"; return;; esac; done;; esac; return 1; }`,
    `ids() { mail | grep -oE '"(ID|id)" *: *"[^"]+"' | sort -u; }`,
  ];
}

/** Notes what is in the mailbox before a write; what came of earlier writes is waited for. */
export function beforeTheWrite(isFirst: boolean): string[] {
  return [...(isFirst ? [] : ['sleep 5']), 'ids > before'];
}

/** Waits for email of the write, and says what has come; or where to look, where the mailbox cannot be read. */
export const afterTheWrite: readonly string[] = [
  'if mail > latest; then',
  "echo 'Email is waited for, half a minute at the most:'",
  'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 3; ids > after; new=$(comm -13 before after | grep -c .); [ "$new" -gt 0 ] && break; done',
  // The members of a team get theirs one after the other.
  'sleep 3; ids > after; new=$(comm -13 before after | grep -c .)',
  'if [ "$new" -gt 0 ]; then echo "The latest messages went to:"; mail | grep -oiE \'"to" *: *\\[[^]]*\\]\' | head -n "$new"; fi',
  'now="messages after the write: $new"',
  'else',
  'now="curl cannot read the mailbox (MAILBOX_URL): look there yourself for messages since $(date)"',
  'fi',
];
