import { expect, test } from 'vitest';
import { breakable, terminal } from './terminal.ts';

const { wrap } = terminal({ color: false, width: 30 });

test('a date stays with its time, and a number with its unit', () => {
  expect(wrap('shows 2026-10-31 06:24:57.766 AM in place of it', '')).toEqual([
    'shows',
    '2026-10-31 06:24:57.766 AM in',
    'place of it',
  ]);
  expect(wrap('accepts an If-Match of some 1 ms earlier', '')).toEqual([
    'accepts an If-Match of some',
    '1 ms earlier',
  ]);
});

test('colours do not count, and do not divide', () => {
  const painted = terminal({ color: true, width: 30 }).paint('red', '2026-10-31');
  expect(wrap(`it shows this: ${painted} 06:24:57`, '')).toEqual([
    'it shows this:',
    `${painted} 06:24:57`,
  ]);
});

test('a long address is broken before its parameters, where that is asked for', () => {
  const address = '/export?range_start=2026-06-29&timezone=UTC&locale=en';
  expect(wrap(address, '')).toEqual([address]);
  expect(wrap(breakable(address), '  ', '    ')).toEqual([
    '  /export?range_start=2026-06-29',
    '    &timezone=UTC&locale=en',
  ]);
});
