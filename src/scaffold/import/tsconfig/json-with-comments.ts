import { endOfText } from '../../add/scan-code.js';

/** Parses a tsconfig, ignoring comments and trailing commas. `undefined` if it contains no object. */
export function parseJsonWithComments(text: string): Record<string, unknown> | undefined {
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const end = endOfText(text, at);
    if (end === undefined) plain += text[at];
    else {
      if (text[at] === '"') plain += text.slice(at, end);
      at = end - 1;
    }
  }
  try {
    const value: unknown = JSON.parse(withoutTrailingCommas(plain));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const withoutTrailingCommas = (text: string): string =>
  text.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, literal: string | undefined) => literal ?? '');
