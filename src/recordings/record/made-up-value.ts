// cspell:disable-next-line
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const MARK = 'example';
const USUAL_LENGTH = 20;

/**
 * Returns a replacement for a secret. It is always the same for the same name and length. It is recognizably made up, so
 * secret scanners do not report it.
 */
export function madeUpValue(name: string, length = USUAL_LENGTH): string {
  if (length <= MARK.length) return MARK.slice(0, length);
  let state = 7;
  for (const character of name) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) | 0;
  let text = `${MARK}-`;
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    text += letters[(state >>> 16) % letters.length] ?? '';
  }
  return text.slice(0, length);
}
