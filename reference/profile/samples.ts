/**
 * A value of a shape as profiles write it: `{code: number, errors: [{message: string}]}`.
 * @param text what texts say, by the name of the field they stand in
 * @returns undefined where the shape cannot be read
 */
export function sampleOf(
  shape: string,
  text: (name: string) => string | number = () => 'text',
): unknown {
  const tokens = shape.match(/[{}[\]|,]|[^{}[\]|,]+/g) ?? [];
  let next = 0;
  let isBroken = false;

  const value = (name: string): unknown => {
    const token = (tokens[next] ?? '').trim();
    next += 1;
    if (token === '{') return object();
    if (token === '[') return list(name);
    return leaf(token, name);
  };
  const leaf = (kind: string, name: string): unknown => {
    const said = text(name);
    if (kind === 'string') return `${said}`;
    if (kind === 'number') return typeof said === 'number' ? said : 1;
    if (kind === 'boolean') return true;
    isBroken ||= kind !== 'null';
    return null;
  };
  const object = (): unknown => {
    const fields: [string, unknown][] = [];
    while (next < tokens.length && tokens[next] !== '}') {
      const [, name, rest = ''] = /^\s*(.+?): ?(.*)$/.exec(tokens[next] ?? '') ?? [];
      next += 1;
      if (name !== undefined)
        fields.push([name, rest.trim() === '' ? value(name) : leaf(rest.trim(), name)]);
    }
    next += 1;
    return Object.fromEntries(fields);
  };
  const list = (name: string): unknown => {
    const items: unknown[] = [];
    while (next < tokens.length && tokens[next] !== ']') {
      if (tokens[next] === '|') next += 1;
      else items.push(value(name));
    }
    next += 1;
    return items;
  };

  const sample = value('');
  return isBroken || next < tokens.length ? undefined : sample;
}
