import type { JSX } from 'preact';
import { literalPattern } from '../../base/text/literal-pattern.js';

export function Marked({ text, words }: { text: string; words: readonly string[] }): JSX.Element {
  const typed = words.filter(Boolean).map(literalPattern);
  if (typed.length === 0) return <>{text}</>;
  const parts = text.split(new RegExp(`(${typed.join('|')})`, 'iu'));
  // The captured separators are at the odd positions.
  return <>{parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}</>;
}
