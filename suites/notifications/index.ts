import type { Assignee } from '../../helpers/api.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { sameId } from '../../schemas/identifier.ts';
import { everybodyGetsEmail, judgesOfAssignments, noneOfRefused, observes } from './judges.ts';
import { carryOut, unassignment } from './plan.ts';

const amongUsers = scenario({
  name: 'who gets email when a task goes to a user, to another one, is refused and taken away',
  needs: ['writable-task', 'mailbox', 'two-users-with-email'],
  async act(world) {
    const { mail, actor } = world;
    // The actor is taken last: a service may send no email to somebody who assigns to themselves.
    const isActor = ({ id }: Assignee): number => Number(sameId(id, actor));
    const [first, second] = mail.users.toSorted((a, b) => isActor(a) - isActor(b));
    if (first === undefined || second === undefined) throw new Error('Two users are needed.');
    return await carryOut(world, [
      { write: 'assign', to: first },
      { write: 'assign', to: second },
      // To the first again, who is known to get email, and must get none of refused writes.
      { write: 'refuse', to: first },
      unassignment,
    ]);
  },
  judges: {
    ...judgesOfAssignments,
    'notification.refused-write-sends-no-email': noneOfRefused,
    'notification.assigned-user-gets-email': everybodyGetsEmail('assignment', 'USER'),
  },
  observes,
});

const toATeam = scenario({
  name: 'who gets email when a task goes to a team, to a user and back',
  needs: ['writable-task', 'mailbox', 'user-with-email', 'team-with-email'],
  async act(world) {
    const { users, teams, book } = world.mail;
    // The largest team: one of a single member tells little.
    const [team] = teams.toSorted((a, b) => book.of(b).length - book.of(a).length);
    if (team === undefined) throw new Error('A team is needed.');
    const isMember = ({ id }: { id: string }): boolean =>
      book.of({ type: 'USER', id }).some((address) => book.of(team).includes(address));
    const user = users.find((one) => !isMember(one)) ?? users[0];
    if (user === undefined) throw new Error('A user is needed.');
    return await carryOut(world, [
      { write: 'assign', to: team },
      { write: 'assign', to: user },
      { write: 'assign', to: team },
    ]);
  },
  judges: {
    ...judgesOfAssignments,
    'notification.assigned-team-gets-email': everybodyGetsEmail('assignment', 'TEAM'),
  },
  observes,
});

export const notifications: readonly AnyScenario[] = [amongUsers, toATeam];
