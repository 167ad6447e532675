/** Groups items by their keys: keys in the order in which they first occur, the items of a key in their own order. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** How often each item is there, in the order in which they first occur. */
export function countsOf<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The value of a key in a Map or WeakMap. @param make works the value out the first time */
export function remembered<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make();
  known.set(key, value);
  return value;
}

/** Keeps values that were worked out of an object, by a key, for as long as the object exists. */
export class Memory<Owner extends WeakKey, Key, Value> {
  readonly #kept = new WeakMap<Owner, Map<Key, Value>>();

  /** The value of an owner and a key. @param make works the value out the first time; a promise that fails is forgotten */
  get(owner: Owner, key: Key, make: () => Value): Value {
    const ofOwner = remembered(this.#kept, owner, () => new Map<Key, Value>());
    const value = remembered(ofOwner, key, make);
    if (value instanceof Promise) value.catch(() => ofOwner.delete(key));
    return value;
  }
}
