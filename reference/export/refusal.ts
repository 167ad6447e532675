/** Thrown where an export is refused with 400 (Errors); the message says why, for the person who asked. */
export class ExportRefused extends Error {
  override name = 'ExportRefused';
}
