/**
 * Characters that would move the cursor, change colors, or reorder or hide text in a terminal. Joiners and
 * variation selectors are kept, because emoji and words in several scripts contain them.
 */
const unsafe =
  /[\u034F\u17B4\u17B5\p{Cc}\p{Cs}\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Makes a line of external text safe to print by replacing unsafe characters with visible symbols. */
export const visible = (text: string): string => text.replace(unsafe, sign);

/** Makes each line of multi-line text safe to print. */
export const visibleLines = (text: string): string[] => text.split(/\r\n|\r|\n/).map(visible);

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}
