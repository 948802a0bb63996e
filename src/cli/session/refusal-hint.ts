import { nearest } from '../../diagnostics/nearest.js';

/** What to do about a refusal that names what it knows instead. */
export function hintFor(message: string, { known, path }: Record<string, unknown>): string | undefined {
  if (!Array.isArray(known) || known.length === 0) return undefined;
  const names = known.map(String);
  const word = typeof path === 'string' && path !== 'type' ? path.split('.').at(-1) : wordIn(message);
  const close = word && nearest(word, names);
  return close ? `Did you mean ${close}?` : `There is: ${names.join(', ')}.`;
}

/** `There is no event space_vew.` */
const wordIn = (message: string): string | undefined => / ([\w:.-]+?)[.]?$/.exec(message)?.[1];
