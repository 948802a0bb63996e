/** Returns a new text for a file, with Windows line endings if the file uses them. */
export const endLinesAs = (before: string | undefined, text: string): string =>
  before?.includes('\r\n') && !/(?<!\r)\n/.test(before) ? text.replace(/\r?\n/g, '\r\n') : text;
