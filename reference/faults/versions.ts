import { isTimestamp } from '../../schemas/timestamp.ts';
import { bodyRules } from '../rules/body.ts';
import type { Fault } from './fault.ts';
import { isObject, refusedWith } from './replaced.ts';

const differing = ['conflict.differing-version-is-409'] as const;

/** A stale version accepted, or refused wrongly (Versioning; Errors: 409). */
export const versionFaults: readonly Fault[] = [
  {
    id: 'the-version-is-not-compared',
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409', 'update.needs-if-match'],
    rules: { versionMatches: () => true },
  },
  {
    id: 'a-version-one-step-old-is-accepted',
    breaks: differing,
    rules: {
      versionMatches: (given, { current, earlier }) =>
        given === current || given === earlier.at(-1),
    },
  },
  {
    id: 'a-version-two-steps-old-is-accepted',
    breaks: differing,
    rules: {
      versionMatches: (given, { current, earlier }) =>
        given === current || given === earlier.at(-2),
    },
  },
  {
    id: 'the-first-version-stays-accepted',
    breaks: differing,
    rules: {
      versionMatches: (given, { current, earlier }) => given === current || given === earlier[0],
    },
  },
  {
    id: 'any-earlier-version-is-accepted',
    breaks: differing,
    rules: {
      versionMatches: (given, { current, earlier }) => given === current || earlier.includes(given),
    },
  },
  {
    id: 'any-instant-before-the-version-is-accepted',
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409'],
    rules: {
      versionMatches: (given, { current }) => Date.parse(given) <= Date.parse(current),
    },
  },
  {
    id: 'any-instant-after-the-version-is-accepted',
    breaks: differing,
    rules: {
      versionMatches: (given, { current }) => Date.parse(given) >= Date.parse(current),
    },
  },
  {
    id: 'versions-are-compared-to-the-second',
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409'],
    rules: {
      versionMatches: (given, { current }) => given.slice(0, 19) === current.slice(0, 19),
    },
  },
  {
    id: 'versions-are-compared-to-the-hundredth-of-a-second',
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409'],
    rules: {
      versionMatches: (given, { current }) => given.slice(0, 22) === current.slice(0, 22),
    },
  },
  {
    id: 'versions-are-compared-as-whole-numbers',
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409'],
    rules: {
      versionMatches: (given, { current }) =>
        Number.parseInt(given, 10) === Number.parseInt(current, 10),
    },
  },
  {
    id: 'the-beginning-of-the-version-is-accepted',
    breaks: ['conflict.text-that-is-no-version-is-409'],
    rules: {
      versionMatches: (given, { current }) => given !== '' && current.startsWith(given),
    },
  },
  {
    id: 'a-version-with-more-behind-it-is-accepted',
    breaks: ['conflict.text-that-is-no-version-is-409'],
    rules: { versionMatches: (given, { current }) => given.startsWith(current) },
  },
  {
    id: 'an-empty-version-is-accepted',
    breaks: ['update.needs-if-match'],
    rules: { versionMatches: (given, { current }) => given === current || given === '' },
  },
  {
    id: 'the-version-of-any-task-is-accepted',
    breaks: differing,
    wire: (handle) => {
      const shown = new Map<string, string>();
      return async (request) => {
        const { method, target, headers } = request;
        const path = target.replace('/update-assignment', '');
        const ofAnother = [...shown].some(
          ([other, version]) => other !== path && version === headers['if-match'],
        );
        const current = ofAnother && method === 'PUT' ? shown.get(path) : undefined;
        const right = current === undefined ? {} : { 'if-match': current };
        const answer = await handle({ ...request, headers: { ...headers, ...right } });
        const task = bodyRules.readBody(String(answer.body));
        if (isObject(task) && typeof task.updated_at === 'string') {
          shown.set(path, task.updated_at);
        }
        return answer;
      };
    },
  },
  {
    id: 'versions-a-millisecond-apart-count-as-equal',
    breaks: differing,
    rules: {
      versionMatches: (given, { current }) =>
        Math.abs(Date.parse(given) - Date.parse(current)) <= 1,
    },
  },
  {
    id: 'the-version-is-not-compared-on-unassign',
    breaks: differing,
    rules: {
      versionMatches: (given, { current }, change) => change === 'unassign' || given === current,
    },
  },
  {
    id: 'the-version-is-compared-on-unassign-only',
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409', 'update.needs-if-match'],
    rules: {
      versionMatches: (given, { current }, change) => change !== 'unassign' || given === current,
    },
  },
  {
    id: 'an-if-match-that-is-no-timestamp-is-ignored',
    // An old version in quotes is no timestamp either.
    breaks: [...differing, 'conflict.text-that-is-no-version-is-409', 'update.needs-if-match'],
    rules: {
      versionMatches: (given, { current }) => given === current || !isTimestamp(given),
    },
  },
  {
    id: 'an-if-match-that-is-no-timestamp-is-400',
    breaks: ['conflict.text-that-is-no-version-is-409'],
    rules: {
      ifMatchProblem: (header) =>
        header !== undefined && isTimestamp(header.replaceAll('"', '')) ? 'none' : 400,
    },
  },
  {
    id: 'a-version-mismatch-is-412',
    breaks: [
      ...differing,
      'conflict.text-that-is-no-version-is-409',
      'conflict.one-of-simultaneous-writes-wins',
    ],
    rules: refusedWith('version-mismatch', 412),
  },
  {
    id: 'a-version-mismatch-is-400',
    breaks: [
      ...differing,
      'conflict.text-that-is-no-version-is-409',
      'conflict.one-of-simultaneous-writes-wins',
    ],
    rules: refusedWith('version-mismatch', 400),
  },
  {
    id: 'a-version-mismatch-is-answered-with-200',
    breaks: [
      ...differing,
      'conflict.text-that-is-no-version-is-409',
      'conflict.one-of-simultaneous-writes-wins',
    ],
    rules: refusedWith('version-mismatch', 200),
  },
];
