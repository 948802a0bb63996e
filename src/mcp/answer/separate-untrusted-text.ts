import { visibleLines } from '../../base/escape-control-characters.js';
import { words } from '../generated/agent-tools.js';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Data that a tool has read. Its field names are constants, and undefined fields are omitted. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { [name: string]: Value };

/** A result split into two trees with the same field names. */
export interface Split {
  facts: Json | undefined;
  untrusted: Json | undefined;
}

export const longestText = 4096;
/** Words that the tools themselves add to answers, such as part names, error codes and request methods. */
const ours = [
  'GET POST PUT PATCH DELETE HEAD OPTIONS fine',
  'summary code log outbound problem step event request response page block document group',
  'build manifest publish calls platform wrong-input too-long changes-not-allowed no-session platform-silent bad-session ended',
].flatMap((line) => line.split(' '));
const known: ReadonlySet<string> = new Set([...ours, ...words]);
/** Ids that start with a time in milliseconds or contain a counter. */
const id =
  /^(?:(?:call|evt|rev|block|task|vis)_1[0-9a-v]{11}|(?:dlv|installation)_\d{1,15}|whe_[0-9a-f]{12})$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

const isFact = (text: string): boolean => known.has(text) || id.test(text) || time.test(text);

/**
 * Facts are numbers, booleans, the platform's own ids, times, and words that the contract declares. Every other string comes
 * from elsewhere and is therefore untrusted, wherever it appears.
 */
export function splitFacts(value: Value, longest = longestText): Split {
  if (typeof value === 'string')
    return isFact(value)
      ? { facts: value, untrusted: undefined }
      : { facts: undefined, untrusted: cut(shown(value), longest) };
  if (Array.isArray(value)) return splitList(value as readonly Value[], longest);
  if (typeof value !== 'object' || value === null) return { facts: value, untrusted: undefined };
  const facts: Record<string, Json> = {};
  const untrusted: Record<string, Json> = {};
  const lengths: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value as Record<string, Value>)) {
    if (inner === undefined) continue;
    const split = splitFacts(inner, longest);
    if (split.facts !== undefined) facts[name] = split.facts;
    if (split.untrusted !== undefined) untrusted[name] = split.untrusted;
    if (typeof inner === 'string' && typeof split.untrusted === 'string' && inner.length > longest)
      lengths[name] = inner.length;
  }
  if (Object.keys(lengths).length > 0) facts['cut'] = lengths;
  return { facts: filled(facts), untrusted: filled(untrusted) };
}

/** Both lists have the same length, so an item has the same index in both. */
function splitList(list: readonly Value[], longest: number): Split {
  const split = list.map((item) => splitFacts(item, longest));
  const place = (side: Json | undefined): Json => side ?? {};
  const has = (side: keyof Split): boolean => split.some((one) => one[side] !== undefined);
  // A list of words is kept together, even if the platform knows some of the words.
  if (has('untrusted') && list.every((item) => typeof item === 'string'))
    return { facts: undefined, untrusted: list.map((item) => cut(shown(item), longest)) };
  return {
    facts: has('facts') || list.length === 0 ? split.map(({ facts }) => place(facts)) : undefined,
    untrusted: has('untrusted') ? split.map(({ untrusted }) => place(untrusted)) : undefined,
  };
}

const filled = (fields: Record<string, Json>): Json | undefined =>
  Object.keys(fields).length > 0 ? fields : undefined;

/** Line breaks are kept, because JSON escapes them. */
const shown = (text: string): string => visibleLines(text).join('\n');

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
