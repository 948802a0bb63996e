const signs = new Set(['\u0002', '\u0018', '\u001F']);

/** Lexemes that stand for nothing in the text: start of document, end of a broken flow, start of a scalar. */
export const isSign = (lexeme: string): boolean => signs.has(lexeme);
