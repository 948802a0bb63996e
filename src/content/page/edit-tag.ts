import { isDeepStrictEqual } from 'node:util';
import { readTag, type TagAttribute } from './read-tag.js';

/**
 * The text with other properties in the tag that begins at `start`. Every byte outside the tag stays as it is, and
 * so do the properties that are equal. Undefined if no tag without errors begins there.
 */
export function editTag(
  text: string,
  start: number,
  props: Readonly<Record<string, unknown>>,
): string | undefined {
  const tag = readTag(text, start);
  if (!tag || tag.problem) return undefined;
  // Of a repeated property, the last one counts.
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
  for (const [key, value] of wanted) if (!current.has(key)) edited += ` ${encodeKey(key)}=${encode(value)}`;
  return edited + text.slice(at);
}

/** A tag ends at the first `%}`. */
const encode = (value: TagAttribute['value']): string => JSON.stringify(value).replaceAll('%}', '%\\u007d');

const encodeKey = (key: string): string => (/^[A-Za-z_][\w.:-]*$/.test(key) ? key : encode(key));
