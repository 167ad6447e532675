/** What stands between the tags of the body of a page: without styles, which have no place in a golden file. */
export function bodyOf(page: string): string {
  return page.slice(page.indexOf('<body>') + '<body>\n'.length, page.indexOf('</body>'));
}
