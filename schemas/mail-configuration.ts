/** Environment variables that say where email arrives, and whose is whose. */
export const mailVariables = {
  MAILBOX_URL: {
    type: 'string',
    pattern: '^(https?|imaps?)://[^\\s/?#]+[^\\s?#]*$',
    title: 'an http(s) or imap(s) address',
    description:
      'Where the email of the target can be read: Mailpit, MailHog or MailDev, or a folder by IMAP.',
    examples: ['http://mailpit.staging.example:8025'],
  },
  MAILBOX_USER: {
    type: 'string',
    pattern: '^[^\\s:]+$',
    title: 'a name without spaces and colons',
    description: 'The user name of that mailbox, where it asks for one.',
    examples: ['qa'],
  },
  MAILBOX_PASSWORD: {
    type: 'string',
    pattern: '\\S',
    title: 'a password',
    description: 'The password of that user.',
    examples: ['the-password-of-the-mailbox'],
  },
  MAILBOX_TOKEN: {
    type: 'string',
    pattern: '^[\\x21-\\x7e]+$',
    title: 'a token without spaces or line breaks',
    description: 'A bearer token for the mailbox, in place of a name and a password.',
    examples: ['the-token-of-the-mailbox'],
  },
  USER_EMAILS: {
    type: 'string',
    format: 'user-emails',
    title: 'JSON: an email address by user id',
    description: 'The addresses of users, at least of two of USER_IDS. Nobody is written to there.',
    examples: ['{"a4c0e0b0-1c39-4f7e-8b3c-5a2d7e9f0b44":"ann@staging.example"}'],
  },
  TEAM_EMAILS: {
    type: 'string',
    format: 'team-emails',
    title: 'JSON: lists of email addresses by team id',
    description: 'The addresses of the members of teams, of all of them.',
    examples: [
      '{"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66":["ann@staging.example","bob@staging.example"]}',
    ],
  },
  MAIL_TIMEOUT_MS: {
    type: 'string',
    pattern: '^[1-9]\\d{1,6}$',
    title: 'milliseconds, at least 10',
    description: 'How long an email may take to arrive in the mailbox.',
    examples: ['30000'],
    default: '30000',
  },
} as const;

const address = { type: 'string', pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$' } as const;

/** The JSON inside USER_EMAILS. */
export const userEmailsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/user-emails',
  title: 'Addresses of users',
  type: 'object',
  additionalProperties: address,
} as const;

/** The JSON inside TEAM_EMAILS. */
export const teamEmailsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/team-emails',
  title: 'Addresses of the members of teams',
  type: 'object',
  additionalProperties: { type: 'array', minItems: 1, items: address },
} as const;
