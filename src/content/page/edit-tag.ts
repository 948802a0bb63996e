import { isDeepStrictEqual } from 'node:util';
import { readTag, type TagAttribute } from './read-tag.js';

/**
 * Replaces the properties of the tag that starts at `start`. All bytes outside the tag stay unchanged, as do properties whose
 * value has not changed. Returns undefined if there is no valid tag at this position.
 */
export function editTag(
  text: string,
  start: number,
  props: Readonly<Record<string, unknown>>,
): string | undefined {
  const tag = readTag(text, start);
  if (!tag || tag.problem) return undefined;
  // If a property is repeated, the last occurrence applies.
  const current = new Map(tag.attributes.map((attribute) => [attribute.key, attribute]));
  const wanted = new Map(Object.entries(props).filter(([, value]) => value !== undefined));
  let edited = text.slice(0, tag.nameEnd);
  let at = tag.nameEnd;
  for (const attribute of tag.attributes) {
    const { key, value, end } = attribute;
    if (wanted.has(key) && current.get(key) === attribute) {
      const next = wanted.get(key);
      edited += isDeepStrictEqual(value, next)
        ? text.slice(at, end)
        : text.slice(at, attribute.start) + encode(next);
    }
    at = end;
  }
  for (const key of current.keys()) wanted.delete(key);
  return edited + encodeProps(Object.fromEntries(wanted)) + text.slice(at);
}

/** Encodes properties for a tag. Each property is preceded by a space. */
export const encodeProps = (props: Readonly<Record<string, unknown>>): string =>
  Object.entries(props)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${encodeKey(key)}=${encode(value)}`]))
    .join('');

/** A tag ends at the first `%}`. */
const encode = (value: TagAttribute['value']): string => JSON.stringify(value).replaceAll('%}', '%\\u007d');

const encodeKey = (key: string): string => (/^[A-Za-z_][\w.:-]*$/.test(key) ? key : encode(key));
