import { base, en, Faker } from '@faker-js/faker';

/** A CSV of so many events, in pieces: ids, times, words, and comments with quotes and line breaks. */
export async function* lines(rows: number): AsyncGenerator<string> {
  const faker = new Faker({ locale: [en, base], seed: 1 });
  const ids = Array.from({ length: 200 }, () => faker.string.uuid());
  const comments = Array.from({ length: 50 }, (_, index) =>
    index % 3 === 0
      ? `"said ""${faker.lorem.words(3)}"",\n${faker.lorem.words(4)}"`
      : faker.lorem.words(6),
  );
  yield 'id,time,user,type,subtype,source,comment,entity,task\n';
  let block = '';
  for (let row = 0; row < rows; row += 1) {
    const id = (shift: number) => ids[(row * 7 + shift) % ids.length];
    const time = new Date(1_700_000_000_000 + row * 1234).toISOString();
    block += `${id(1)},${time},${id(2)},assessment,updated,task_platform,${comments[row % comments.length]},${id(3)},${id(4)}\n`;
    if (block.length > 65_536) {
      yield block;
      block = '';
    }
  }
  yield block;
}
