import type { Path } from '../../../diagnostics/model/rule.js';

/** Formats a path for people, such as `blocks[0].title`. */
export function showPath(path: Path): string {
  let shown = '';
  for (const part of path) {
    if (typeof part === 'number') shown += `[${part}]`;
    else shown += /^[\w$-]+$/.test(part) ? (shown && '.') + part : `[${JSON.stringify(part)}]`;
  }
  return shown;
}

/** Formats a list such as `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Formats a list such as `a, b and c`. */
export function enumeration(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Shortens a value from the file for use in a message. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  return String(value);
}
