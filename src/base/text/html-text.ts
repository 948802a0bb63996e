/** Returns the text of an HTML page without its markup. */
export const htmlText = (html: string): string =>
  html
    .replaceAll(/<(style|title|script)\b[^>]*>[^]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim();
