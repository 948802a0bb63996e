import type { ReplayBody, ReplayRequest } from './replay-types.js';
import { seededId } from './seeded-id.js';

type Sent = Pick<ReplayRequest, 'method' | 'url' | 'body'>;

interface Found {
  match: 'same' | 'similar' | 'none';
  /** The index of the recorded request. */
  recorded?: number;
}

/**
 * Chooses the recorded request whose response is returned. Uses the first identical request that has not been used
 * yet, or else the most similar request with the same method and path. In the second case, the comparison reports the
 * difference. While a call is recorded, the path may contain another random id.
 */
export function findAnswer(
  recorded: readonly ReplayRequest[],
  sent: Sent,
  used: ReadonlySet<number>,
  isDraft = false,
): Found {
  const same = recorded.findIndex((request, at) => !used.has(at) && isSame(request, sent));
  if (same !== -1) return { match: 'same', recorded: same };
  const path = withoutQuery(sent.url);
  const near = recorded.flatMap((request, at) => {
    const isSamePath = withoutQuery(request.url) === path;
    const isNear = isSamePath || (isDraft && URL.parse(request.url)?.host === URL.parse(path)?.host);
    const score = (isSamePath ? 8 : 0) + (used.has(at) ? 0 : 4) + similarity(request, sent);
    return request.method === sent.method && isNear ? [{ at, score }] : [];
  });
  const [first] = near.sort((a, b) => b.score - a.score || (used.has(a.at) ? b.at - a.at : a.at - b.at));
  return first ? { match: 'similar', recorded: first.at } : { match: 'none' };
}

/** Returns a number from 0 to 2. */
const similarity = (request: Sent, sent: Sent): number =>
  Number(matches(comparableUrl(request.url), comparableUrl(sent.url))) +
  Number(matches(comparable(request.body), comparable(sent.body)));

const isSame = (request: Sent, sent: Sent): boolean =>
  request.method === sent.method &&
  matches(comparableUrl(request.url), comparableUrl(sent.url)) &&
  matches(comparable(request.body), comparable(sent.body));

/** The order of query parameters and form fields does not matter, except among those with the same name. */
export function comparableUrl(url: string): string {
  const [, before = '', query = '', after = ''] = /^([^?#]*)\?([^#]*)(.*)$/s.exec(url) ?? [];
  return query.includes('&') ? `${before}?${sortedPairs(query)}${after}` : url;
}

const sortedPairs = (query: string): string =>
  query
    .split('&')
    .map((pair, at) => ({ pair, name: pair.replace(/=.*/s, ''), at }))
    .sort((a, b) => (a.name === b.name ? a.at - b.at : a.name < b.name ? -1 : 1))
    .map(({ pair }) => pair)
    .join('&');

const withoutQuery = (url: string): string => url.replace(/[?#].*/, '');

/** The text that replaces secrets in recorded calls. */
const MASK = '•••';

/** Whether two strings are equal. A mask in the recorded string matches any text. */
export const matches = (before: string, after: string): boolean => maskedParts(before, after) !== undefined;

/** Returns what each mask in the recorded string stands for, or undefined if the strings differ otherwise. */
export function maskedParts(before: string, after: string): string[] | undefined {
  if (before === after) return [];
  const [recorded, sent] = [before, after].map((text) => text.replaceAll(seededId, 'id')) as [string, string];
  if (recorded === sent) return [];
  const [first = '', ...rest] = unescaped(recorded).split(MASK);
  if (rest.length === 0 || !sent.startsWith(first)) return undefined;
  const parts: string[] = [];
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = !isLast ? sent.indexOf(part, at) : part === '' ? sent.length : sent.lastIndexOf(part);
    if (found < at) return undefined;
    parts.push(sent.slice(at, found));
    at = found + part.length;
  }
  return at === sent.length ? parts : undefined;
}

/** In a URL, the mask is percent-encoded. */
const unescaped = (text: string): string => text.replaceAll('%E2%80%A2', '•');

/**
 * Parses JSON and forms, so that they are compared by value, and removes the boundary from multipart bodies. Everything else is
 * compared as text.
 */
export function comparable(body: ReplayBody | undefined): string {
  if (!body) return '';
  const text = 'text' in body ? body.text : atob(body.base64);
  const boundary = /^--([^\r\n]{1,100})\r?\n/.exec(text)?.[1];
  // Only Node adds a line break after the last line.
  if (boundary !== undefined) return text.replaceAll(boundary, 'boundary').trimEnd();
  if ('base64' in body) return body.base64;
  if (form.test(text)) return sortedPairs(text);
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    // It is not JSON, or it is nested too deeply to be sorted.
    return text;
  }
}

const form = /^[\w.[\]%+-]{1,100}=[^\s&]*(?:&[\w.[\]%+-]{1,100}=[^\s&]*)+$/;

/** Returns the same value with sorted object properties. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

export function bodyOf(bytes: Uint8Array): ReplayBody {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return { base64: btoa(text) };
  }
}

export function bytesOf(body: ReplayBody | undefined): Uint8Array<ArrayBuffer> {
  if (!body) return new Uint8Array();
  if ('text' in body) return new TextEncoder().encode(body.text);
  return Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0));
}
