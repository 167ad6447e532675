import type { Email, Notice } from '../rules/notification.ts';
import type { Service } from './service.ts';

type Post = Pick<Service, 'rules' | 'directory' | 'post'>;

/** Sends the email of a write that was carried out (Events). */
export function notify(notice: Notice, service: Post): void {
  const { rules, directory } = service;
  const people = rules.peopleToNotify(notice, directory);
  const emails = rules.addressed(people).map((heads) => ({ ...heads, ...rules.wording(notice) }));
  send([...emails, ...rules.furtherEmails(notice, directory)], service);
}

/** Sends emails, each when its time has come. */
export function send(emails: readonly Email[], { rules, post }: Post): void {
  for (const [index, email] of emails.entries()) {
    const delay = rules.mailDelay(index);
    if (delay === 0) post(email);
    else setTimeout(() => post(email), delay).unref();
  }
}
