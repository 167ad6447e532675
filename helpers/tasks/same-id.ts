/** Whether two values are the same id. In which case ids are written, the document does not say. */
export function sameId(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.toLowerCase() === other.toLowerCase();
}
