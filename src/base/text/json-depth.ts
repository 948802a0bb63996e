/**
 * Nesting deeper than this would overflow the stack in recursive functions. Editors and scripts never nest values
 * this deeply.
 */
export const deepestJson = 200;

/** Counts the brackets outside of strings. If the text is not JSON, the parser reports that. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let n = 0; n < text.length; n += 1) {
    const sign = text[n];
    if (quoted && sign === '\\') n += 1;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepestJson) return true;
  }
  return false;
}
