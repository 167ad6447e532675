import { expect, test } from 'vitest';
import { terminal } from './terminal.ts';

const { paint, wrap } = terminal({ color: true, width: 30 });

test('colours do not count', () => {
  const painted = paint('red', '2026-10-31');
  expect(wrap(`it shows this: ${painted} and more`, '')).toEqual([
    `it shows this: ${painted} and`,
    'more',
  ]);
});

test('a long address stays whole, so that it can be copied', () => {
  const address = '/export?range_start=2026-06-29&timezone=UTC&locale=en';
  expect(wrap(`#3 GET ${address} and more`, '  ', '    ')).toEqual([
    `  #3 GET ${address}`,
    '    and more',
  ]);
});
