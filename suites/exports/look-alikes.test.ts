import { expect, test } from 'vitest';
import { lookAlikesAmong } from './look-alikes.ts';

test.for([
  [
    ['43720', '815', '043720'],
    ['43720', '043720'],
  ],
  [
    ['0', '00'],
    ['0', '00'],
  ],
  [
    ['high-risk', 'high_risk'],
    ['high_risk', 'high-risk'],
  ],
  [
    ['100 verified', '100% verified'],
    ['100% verified', '100 verified'],
  ],
  [['high_risk', 'higher_risk', 'HIGH-RISK', '12', '120', '1.20'], undefined],
  [['high_risk', 'high_risk_2', '(a_b', '(a+b)'], undefined],
] as const)('%j: %j', ([values, expected]) => {
  expect(lookAlikesAmong(values)).toEqual(expected);
});
