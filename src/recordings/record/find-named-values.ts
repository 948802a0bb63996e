import { parseJson } from '../../base/parse-json.js';
import { isAllowed } from '../file/recorded-body.js';
import {
  canBeSecret,
  isCode,
  isKeyHeader,
  isPlain,
  isSecretName,
  isTokenLike,
  looksRandom,
  type Field,
} from './secret-names.js';

/** A value found in text, and its name. */
export interface NamedValue {
  name: string;
  value: string;
  field: Field;
}

/** How many levels of nested text to search, such as JSON in base64 in JSON. */
const DEEPEST = 4;

type Visit = (value: string, path: readonly string[], field: Field) => void;

/** The parts of a call that contain users' input and stored values. */
const inputs = new Set(['stored', 'state', 'action', 'task', 'configuration', 'props', 'query']);

/** Visits each string with its path. The strings in a list have the path of the list. */
export function visitTexts(value: unknown, path: readonly string[], field: Field, visit: Visit): void {
  if (typeof value === 'string') visit(value, path, field);
  else if (Array.isArray(value))
    for (const [at, inner] of value.entries()) {
      const label: unknown = value[at - 1];
      // Headers are often written as pairs, such as `["authorization", "Bearer …"]`.
      const isValue = typeof label === 'string' && typeof inner === 'string' && isSecretName(label, 'data');
      visitTexts(inner, isValue && looksRandom(inner) ? [...path, label.toLowerCase()] : path, field, visit);
    }
  else if (typeof value === 'object' && value !== null) {
    const name = labelOf(value);
    for (const [key, inner] of Object.entries(value)) {
      const label = name !== undefined && valueKey.test(key) ? name : key;
      visitTexts(inner, [...path, label], inputs.has(key) ? 'input' : field, visit);
    }
  }
}

/** Returns the name in a pair such as `{ "name": "password", "value": "…" }`. */
function labelOf(value: object): string | undefined {
  const entries = Object.entries(value);
  if (!entries.some(([key]) => valueKey.test(key))) return undefined;
  for (const [key, label] of entries)
    if (/^(?:name|key|id|label|field|header)$/i.test(key) && typeof label === 'string' && label.length <= 100)
      return label;
  return undefined;
}

const valueKey = /^\w{0,20}value$/i;

/**
 * Whether a path shows that its value is a secret. This depends on the last name in the path or, if that is too general, the
 * one before it.
 */
export function isSecretPath(path: readonly string[], field: Field, value: string): boolean {
  const [parent = '', name = ''] = ['', ...path].slice(-2);
  if (isCode(name, value)) return true;
  if (!canBeSecret(value)) return false;
  if (parent === 'headers' && /(?:auth|vault)/i.test(name) && isTokenLike(value)) return true;
  if (parent === 'headers' && isKeyHeader(name) && !isPlain(name, value)) return true;
  // A list of tokens is secret, but a number of tokens is not.
  if (several.test(name)) return looksRandom(value);
  if (isSecretName(name, field)) return !isPlain(name, value);
  return general.test(name) && isSecretName(parent, 'data') && !isPlain(parent, value);
}

const several = /(?:tokens|[_-]codes|[_-]keys)$/i;
const general = /^(?:\w{0,20}value|raw|text|plain|current|new|old|content|s|\$|_|#text)$/i;

/** Finds named values in JSON, forms, URLs, headers, XML and other text, including nested values. */
export function namedValuesIn(text: string, field: Field, depth = 0): NamedValue[] {
  if (depth > DEEPEST) return [];
  const found: NamedValue[] = [];
  const within = (inner: string, as: Field = field): void =>
    void found.push(...namedValuesIn(inner, as, depth + 1));
  const json = readJson(text);
  if (json !== undefined) {
    visitTexts(json, [], field, (value, path, as) => {
      if (isSecretPath(path, as, value))
        for (const spelled of new Set([value, JSON.stringify(value).slice(1, -1)]))
          found.push({ name: path.at(-1) ?? '', value: spelled, field: as });
      within(value, as);
    });
    return found;
  }
  const add = (name = '', value = '', as: Field = field): void => {
    if (isCode(name, value) || (canBeSecret(value) && isSecretName(name, as) && !isPlain(name, value)))
      found.push({ name, value, field: as });
  };
  const inJson = jsonAfterPrefix(text);
  if (inJson !== undefined) within(inJson);
  for (const [name, value] of fieldsIn(text)) {
    // The code of an OAuth callback may be short.
    if (name === 'code' && canBeSecret(value)) found.push({ name, value, field: 'input' });
    else add(name, value, 'input');
    within(value);
  }
  for (const [, name, value = ''] of text.matchAll(parts)) {
    add(name, value);
    within(value);
  }
  for (const [name, value] of blocksIn(text)) add(name, value);
  for (const [, written = ''] of text.matchAll(tags)) {
    const all = attributesIn(written);
    for (const [name, value] of all) add(name, value);
    const label = all.find(([name]) => /^(?:name|key|id)$/i.test(name))?.[1];
    add(label, all.find(([name]) => /^(?:value|content)$/i.test(name))?.[1]);
  }
  for (const [, data = ''] of text.matchAll(dataUrls)) within(data);
  for (const [name, value] of linesIn(text)) add(name, value);
  for (const [, line = ''] of text.matchAll(jsonLines)) within(line);
  const decoded = decode(text);
  if (decoded !== undefined) within(decoded);
  return found;
}

const isForm = (text: string): boolean => form.test(text.trimEnd());

/** Returns the fields of forms, queries, fragments and connection strings. */
function fieldsIn(text: string): [name: string, value: string][] {
  const fields = Array.from(text.matchAll(pair), ([, field = '', setting = field]) => setting);
  return [...(isForm(text) ? text.trimEnd().split('&') : []), ...fields].flatMap((field) =>
    [...new URLSearchParams(field)].flatMap(([name, value]): [string, string][] => {
      // A setting is not encoded, and may look like a form.
      const raw = field.slice(field.indexOf('=') + 1);
      return [value, ...(raw === value || raw.includes('%') ? [] : [raw])].map((one) => [name, one]);
    }),
  );
}

/** Returns the named values in settings, incomplete JSON, code and other text. The first line of a form would end with its last field. */
const linesIn = (text: string): (readonly [name: string | undefined, value: string | undefined])[] => [
  ...Array.from(text.matchAll(quotedPairs), ([, name, value]) => [name, value] as const),
  ...(isForm(text) ? [] : Array.from(text.matchAll(settings))).flatMap(([, name, value = '']) =>
    [value.trim(), value.split(/ [#;]/, 1)[0]?.trim()].map(
      (one) => [name, one?.replaceAll(/^["']|["']$/g, '')] as const,
    ),
  ),
  ...[...(isForm(text) ? [] : text.matchAll(lines)), ...text.matchAll(inline)]
    .filter(([, , value = '']) => looksRandom(value))
    .map(([, name, value]) => [name, value] as const),
];

/** Returns the values of elements and of YAML blocks. If an element's name is too general, the one around it counts. */
const blocksIn = (text: string): (readonly [name: string | undefined, value: string | undefined])[] => [
  ...[...text.matchAll(elements)].map(
    ([, parent = '', name = parent, value]) => [general.test(name) ? parent : name, value] as const,
  ),
  ...[...text.matchAll(blockScalars)].flatMap(([, name, block = '']) =>
    block.split('\n').map((line) => [name, line.trim()] as const),
  ),
];

const attributesIn = (tag: string): (readonly [name: string, value: string])[] =>
  [...tag.matchAll(attributes)].map(([, name = '', plain = '', value = plain]) => [name, value]);

/** Returns the JSON after a byte order mark, a callback's name, or a prefix that prevents scripts from reading it. */
function jsonAfterPrefix(text: string): string | undefined {
  const start = text.slice(0, LONGEST_PREFIX).search(/[[{]/);
  if (start < 1) return undefined;
  const json = text.slice(start, Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1);
  return readJson(json) === undefined ? undefined : json;
}

const LONGEST_PREFIX = 200;

function readJson(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  const value = parseJson(text, undefined);
  return isAllowed(value) ? value : undefined;
}

// Each of these expressions scans text in linear time, because a repeated part can never match the text that must follow it.

/** Matches a field of a form, query, fragment or connection string anywhere in a text. */
const pair =
  /(?:[?#&](?:amp;)?([^\s=?#&"'<>\\]{1,100}=[^\s"'<>#&\\]*)|(?<=;) ?([\w .-]{1,100}=[^\s"'<>#&\\;,(){}[\]]*)(?=[\s;"'<]|$))/g;
/** The names of fields may contain any characters, and fields may have no value. */
const form = /^[^\s=?#"'<>{}]{1,300}=\S*$/;
/** Matches a field of a multipart body. */
const parts =
  /form-data;(?:(?!\bname=)[^\r\n]){0,200}\bname="?([^"\r\n;]{1,100})(?=["\r\n;])[^\r\n]{0,300}\r?\n(?:[^\r\n]{1,300}\r?\n){0,10}\r?\n([^\r\n]*)/g;
const elements =
  /<(?:[\w-]{1,50}:)?([\w-]{1,100})(?:\s[^<>]{0,500})?>(?:\s{0,50}<(?:[\w-]{1,50}:)?([\w-]{1,100})(?:\s[^<>]{0,500})?>)?(?:\s{0,50}<!\[CDATA\[)?([^<\]]{1,10000})/g;
const tags = /<[\w:-]{1,100}\s([^<>]{1,10000})/g;
const attributes = /([\w:-]{1,100})\s?=\s?(?:([^\s"'=<>]{1,10000})|["']([^"']{1,10000})["'])/g;
/** Matches a YAML block. */
const blockScalars =
  /^[ \t]{0,20}(?:- )?["']?([\w.-]{1,100})["']?:[ \t]{0,5}[|>][-+\d]{0,2}[ \t]{0,5}((?:\r?\n[ \t]{1,20}\S[^\r\n]*){1,1000})/gm;
const dataUrls = /\bdata:[\w/+.;=-]{0,100};base64,([\w+/=-]{16,})/g;
/** Matches `name: value` and `NAME=value` on separate lines. */
const lines =
  /^[ \t]{0,20}(?:export |set |[*-] )?["']?([\w.-]{1,100})["']?[ \t]{0,5}[:=][ \t]{0,5}["']?([^\s"',;]{8,10000})/gm;
/** Matches settings such as `NAME=value`. Values in quotes may have several lines. */
const settings =
  /^[ \t]{0,20}(?:export |set )?([\w.-]{1,100})[ \t]{0,5}=[ \t]{0,5}("[^"]{1,10000}"|'[^']{1,10000}'|[^\r\n]{1,10000})/gm;
/** Matches pairs in incomplete JSON. */
const quotedPairs = /"([\w.-]{1,100})"\s{0,5}:\s{0,5}"((?:[^"\\]|\\.){1,10000})"/g;
/** Matches `name: value` and `name="value"` in code and other text. */
const inline = /(?<![\w.-])([\w.-]{1,100})["']?[ \t]{0,5}[:=][ \t]{0,5}["']?([^\s"',;&<>(){}]{8,500})/g;
/** Matches lines that contain JSON, and the data of server-sent events. */
const jsonLines = /^(?:data: ?)?([[{].*)$/gm;

/** Decodes base64, which many services use to send their messages. Some of them break it into lines. */
export function decode(text: string): string | undefined {
  if (text.length < 16 || !/^[\w+/\r\n-]+={0,2}$/.test(text.trimEnd())) return undefined;
  const decoded = Buffer.from(text, 'base64').toString();
  return /^\s*[[{]|^[\w.-]{1,100}[=:]/.test(decoded) && !decoded.includes('\uFFFD') ? decoded : undefined;
}
