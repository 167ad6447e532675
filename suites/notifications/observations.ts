import type { Email } from '../../helpers/mail/mail-watch.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { Observation } from '../../schemas/observations.ts';
import {
  attribute,
  doEmailsShowWrite,
  mayBelong,
  namesTask,
  servedLate,
  showsMarker,
} from './attribution.ts';
import { type Evidence, isAssigning, type Step, stepsOf } from './evidence.ts';

/** The emails that may be of a step; where emails of this service show their write, only those that show this one. */
function emailsOf(step: Step, evidence: Evidence): Email[] {
  const emailsShowWrite = doEmailsShowWrite(evidence);
  return step.incoming.emails.filter((email) => {
    const attribution = attribute(email, step, emailsShowWrite);
    return mayBelong(attribution) && !(attribution === 'unknown' && emailsShowWrite);
  });
}

const assigning = (evidence: Evidence): Step[] => stepsOf(evidence).filter(isAssigning);

/** Observations of what the document leaves open of email. */
export const observes = {
  'notification.copy-to-the-assigner': (evidence) => {
    const { assigner } = evidence;
    if (assigner === undefined) return [];
    const others = assigning(evidence).filter(({ addresses }) => !addresses.includes(assigner));
    return others.map((step) => {
      const isCopied = emailsOf(step, evidence).some(({ recipients }) =>
        recipients.includes(assigner),
      );
      return isCopied ? 'a copy' : 'none';
    });
  },
  'notification.of-an-unassignment': (evidence) =>
    stepsOf(evidence)
      .filter(({ kind }) => kind === 'unassignment')
      .map((step) => (emailsOf(step, evidence).length > 0 ? 'somebody' : 'nobody')),
  'notification.content': (evidence) =>
    assigning(evidence).flatMap((step) =>
      emailsOf(step, evidence).map((email) => ({
        showsComment: showsMarker(email, step),
        namesTask: namesTask(email, step),
      })),
    ),
  'notification.messages-to-a-team': (evidence) =>
    assigning(evidence)
      .filter(({ to, addresses }) => to?.type === 'TEAM' && addresses.length > 1)
      .flatMap((step) => {
        const counts = emailsOf(step, evidence).map(
          ({ recipients }) => step.addresses.filter((one) => recipients.includes(one)).length,
        );
        if (counts.length === 0) return [];
        return counts.every((count) => count <= 1) ? 'one each' : 'one for several';
      }),
  // Coarse, so that a busy network is not taken for another service.
  'notification.delay': (evidence) =>
    assigning(evidence).flatMap((step) => {
      const isLate = servedLate(step, evidence).some((one) => step.addresses.includes(one));
      if (emailsOf(step, evidence).length === 0) return isLate ? ['later'] : [];
      return step.incoming.waitedMs < 15_000 && !isLate ? ['within 15 seconds'] : ['later'];
    }),
} satisfies { readonly [Id in OpenClause]?: (evidence: Evidence) => readonly Observation<Id>[] };
