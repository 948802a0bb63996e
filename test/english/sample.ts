// A comment that has to be mended.
export const sample = 'This string was mended.';
/** Not a word but code: `mend()`. */
export const mend = (text: string): string => text;
