import { expect, test } from 'vitest';
import { encodeQuery } from './query.ts';

const two = { filters: { event_type: ['a', 'b'] } };

test('a list is encoded in each of the ways', () => {
  expect(encodeQuery({ ...two, encoding: 'repeat' })).toBe('event_type=a&event_type=b');
  expect(encodeQuery({ ...two, encoding: 'brackets' })).toBe(
    'event_type%5B%5D=a&event_type%5B%5D=b',
  );
  expect(encodeQuery({ ...two, encoding: 'indices' })).toBe(
    'event_type%5B0%5D=a&event_type%5B1%5D=b',
  );
  expect(encodeQuery({ ...two, encoding: 'comma' })).toBe('event_type=a%2Cb');
  expect(encodeQuery({ ...two, encoding: 'bare-comma' })).toBe('event_type=a,b');
  expect(encodeQuery({ ...two, encoding: 'pipe' })).toBe('event_type=a%7Cb');
  expect(encodeQuery({ ...two, encoding: 'semicolon' })).toBe('event_type=a%3Bb');
  expect(encodeQuery({ ...two, encoding: 'json' })).toBe('event_type=%5B%22a%22%2C%22b%22%5D');
});

test('a metadata key is written in brackets, whatever the encoding of lists', () => {
  const query = { filters: { 'metadata[tag]': ['kyc & more'] } };
  expect(encodeQuery({ ...query, encoding: 'comma' })).toBe('metadata%5Btag%5D=kyc%20%26%20more');
});

test('brackets of names are sent as they are where that is asked for, those of values are not', () => {
  const query = { filters: { 'metadata[tag]': ['[x]'] }, brackets: 'plain' as const };
  expect(encodeQuery(query)).toBe('metadata[tag]=%5Bx%5D');
});

test('instants are written with milliseconds and Z, texts as they are, a plus as %2B', () => {
  const query = { start: Date.UTC(2026, 0, 2, 3, 4, 5, 6), end: '2026-01-02T03:04:05+00:00' };
  expect(encodeQuery({ ...query, encoding: 'repeat' })).toBe(
    'range_start=2026-01-02T03%3A04%3A05.006Z&range_end=2026-01-02T03%3A04%3A05%2B00%3A00',
  );
});

test('what is left out is not sent, and an empty query is empty', () => {
  expect(encodeQuery({ encoding: 'repeat' })).toBe('');
  expect(
    encodeQuery({ fileType: 'pdf', locale: 'de', timezone: 'Asia/Tokyo', encoding: 'repeat' }),
  ).toBe('file_type=pdf&locale=de&timezone=Asia%2FTokyo');
});

test('further parameters take the place of known ones', () => {
  expect(encodeQuery({ start: 0, further: { range_start: '' }, encoding: 'repeat' })).toBe(
    'range_start=',
  );
});
