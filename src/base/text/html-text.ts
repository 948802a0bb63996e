/** Returns the text of an HTML page without its markup. */
export const htmlText = (html: string): string =>
  cut(cut(html, /<(style|title|script)\b[^>]*>[^]*?(?:<\/\1>|$)/gi), /<[^>]+>/g)
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Looks no further than the last `>`. Beyond it, each `<` would be followed to the end in vain. */
function cut(html: string, tags: RegExp): string {
  const end = html.lastIndexOf('>') + 1;
  return html.slice(0, end).replaceAll(tags, ' ') + html.slice(end);
}
