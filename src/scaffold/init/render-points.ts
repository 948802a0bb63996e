import { wrapText } from '../../terminal/wrap-text.js';

/** Each on lines of its own, wrapped under its first word. */
export const renderPoints = (texts: readonly string[], width: number): string =>
  texts.map((text) => `  - ${wrapText(text, width - 4).join('\n    ')}`).join('\n');
