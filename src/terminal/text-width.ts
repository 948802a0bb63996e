const ascii = /^[\x20-\x7E]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Splits text into user-perceived characters, such as a letter with its accents, a flag, or a family. */
export function splitCharacters(text: string): string[] {
  if (ascii.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns how many terminal cells such a character takes up. */
export function characterWidth(character: string): number {
  if (ascii.test(character)) return character.length;
  if (isEmoji(character)) return 2;
  let width = 0;
  for (const point of character) width += isInvisible(point) ? 0 : isWide(point) ? 2 : 1;
  return width;
}

export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  return splitCharacters(text).reduce((width, character) => width + characterWidth(character), 0);
}

// These Unicode tables are expensive to create, so they are created only for text that is not plain ASCII.

const isEmoji = (character: string): boolean =>
  /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Emoji_Modifier}|^\p{RI}\p{RI}$/u.test(character);

const isInvisible = (point: string): boolean => /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]$/u.test(point);

/** East Asian characters take two cells. */
const isWide = (point: string): boolean =>
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18D08}\u{1AFF0}-\u{1B2FB}\u{20000}-\u{3FFFD}]/u.test(
    point,
  );
