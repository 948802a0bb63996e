import { createScan, hiddenSecret } from '../../protocol/mask-secrets.js';
import { spellingsOf } from '../../protocol/secret-spellings.js';
import type { RecordedCall } from '../file/recording.js';
import { madeUpValue, webToken } from './made-up-value.js';
import { decode, isSecretPath, namedValuesIn, visitTexts } from './find-named-values.js';
import { canBeSecret, isCode, isPlain, isSecretName, isTokenLike, looksRandom } from './secret-names.js';
import { possibleSecretsIn } from './possible-secrets.js';
import { isSignature } from '../../emulator/index.js';

/** The secrets that were found, and their replacements. */
export interface ReplacedSecrets {
  calls: RecordedCall[];
  /** The replacement of each secret. */
  found: Map<string, string>;
  /** Where the secrets were found, in a readable form and without duplicates. */
  places: string[];
  /** Where a field's name sounds like a secret, but its value was kept, because it is short and plain. */
  plain: string[];
  made: Set<string>;
  /** Those of them that replace a mask. */
  filled: string[];
}

type Find = (value: string, path: readonly string[], replacement?: string) => void;

/**
 * Replaces secrets in drafts. Masked values get a made-up value for their field name. Values recognized as secrets by their
 * name or format are also replaced. Every other occurrence of each secret is replaced too, in any encoding.
 */
export function replaceSecrets(
  drafts: readonly RecordedCall[],
  redact: readonly string[],
  keep: readonly string[] = [],
): ReplacedSecrets {
  const found = new Map<string, string>();
  const made = new Set<string>();
  const kept = new Set<string>();
  const plain = new Set<string>();
  const places = new Set<string>();
  const note = (path: readonly string[]): void => {
    // What the script does with made-up values shows only when it runs.
    if (!isResult(path)) places.add(readablePath(path));
  };
  const find: Find = (value, path, replacement) => {
    if (isRedacted(path, keep)) return void kept.add(value);
    note(path);
    if ((value.includes(hiddenSecret) && !webToken.test(value)) || found.has(value)) return;
    const chosen = replacement ?? madeUpValue(path.at(-1) ?? '', value, (other) => made.has(other));
    made.add(chosen);
    found.set(value, chosen);
  };
  /** The password may also appear elsewhere, without the user name. */
  const findPassword = (credentials: string, path: readonly string[]): boolean => {
    const [, user, password] = /^([^:]*:)(.+)$/.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    if (!canBeSecret(password) || password.includes('\uFFFD')) return false;
    find(password, [...path, 'password']);
    const replacement = found.get(password);
    if (replacement !== undefined)
      find(credentials, path, Buffer.from(user + replacement).toString('base64'));
    return replacement !== undefined;
  };
  const filled = new Map<string, string>();
  /** Two masked secrets may have fields with the same name, so the whole path identifies them. */
  const madeFor = (path: readonly string[], at: number): string => {
    const key = [...path, ...(at > 0 ? [at] : [])].join('.');
    const value = filled.get(key) ?? madeUpValue(path.at(-1) ?? '', undefined, (other) => made.has(other));
    filled.set(key, value);
    made.add(value);
    return value;
  };
  /** Fills in masked secrets. Requests keep the mask until they are sent. The mask matches any text. */
  const fillMasks = (text: string, path: readonly string[]): string => {
    if (text.search(masks) === -1) return text;
    if (path.length > 0) note(path);
    let at = 0;
    return isResult(path) ? text : text.replaceAll(masks, () => madeFor(path, at++));
  };
  // The response in the log is what the script did with the rest.
  for (const { response: _, ...draft } of drafts)
    visitTexts(draft, [], 'data', (value, path, field) => {
      const name = path.at(-1) ?? '';
      if (isRedacted(path, keep)) return void kept.add(value);
      if (isRedacted(path, redact) && value.length >= 4) return find(value, path);
      if (path.includes('headers') && isSignature(name, value)) return;
      if (path.includes('headers') && /^(?:set-)?cookie$/.test(name)) return findCookies(value, path, find);
      const [, scheme = '', credentials] =
        (name.toLowerCase() === 'authorization' && /^(\w+) (.+)$/.exec(value)) || [];
      if (credentials !== undefined) {
        if (scheme.toLowerCase() === 'basic' && findPassword(credentials, path)) return;
        return find(credentials, path);
      }
      if (name === 'auth' && findPassword(value, path)) return;
      if (isSecretPath(path, field, value)) return find(value, path);
      const isOwnHeader = path.at(-2) === 'headers' && /^x-(?!.*(?:id|trace|span|signature)$)/i.test(name);
      if (canBeSecret(value) && (isSecretName(name, field) || (isOwnHeader && isTokenLike(value))))
        plain.add(readablePath(path));
      for (const inner of namedValuesIn(value, field)) find(inner.value, [...path, inner.name]);
      for (const secret of possibleSecretsIn(value)) find(secret, path);
    });
  for (const value of kept) found.delete(value);
  const clean = createReplacer(found);
  const calls = drafts.map((draft) => {
    // The names and numbers in the recording's own format are not changed.
    const { name, after, ...rest } = draft;
    const cleaned = mapTexts(rest, [], (value, path) => {
      const isKept = isRedacted(path, keep);
      // The log contains no value to keep if it is masked there.
      if (typeof value === 'string') return fillMasks(isKept ? value : clean(value), path);
      if (isKept) return value;
      const [name = '', digits] = [path.at(-1), String(value)];
      if (!isCode(name, digits)) return value;
      note(path);
      return Number(madeUpValue(name, digits));
    });
    return { name: fillMasks(clean(name), []), after, ...(cleaned as Omit<RecordedCall, 'name' | 'after'>) };
  });
  return { calls, found, places: [...places], plain: [...plain], made, filled: [...filled.values()] };
}

/** Returns a function that replaces secrets in a text, in any encoding. */
export function createReplacer(found: ReadonlyMap<string, string>): (text: string) => string {
  const scans = [...found]
    .filter(([secret]) => secret.length >= SHORTEST_ANYWHERE)
    .sort(([a], [b]) => b.length - a.length)
    .map(([secret, made]) => createScan(spellingsOf(secret), made));
  const clean = (text: string): string => {
    const decoded = found.size > 0 ? decode(text) : undefined;
    if (decoded !== undefined && !found.has(text)) {
      const cleaned = clean(decoded);
      return cleaned === decoded ? text : encodeLike(text, cleaned);
    }
    return found.get(text) ?? scans.reduce((left, scan) => scan(left, left.length).masked ?? left, text);
  };
  return clean;
}

/** Whether a path in a call leads to what the script did. */
const isResult = (path: readonly string[]): boolean =>
  /^(?:response|outbound\.(?:send|headers|body))(?:\.|$)/.test(readablePath(path));

/** Encodes text in base64 with the alphabet and line breaks of another one. */
function encodeLike(base64: string, text: string): string {
  const [first = '', end = ''] = /^[^\r\n]+(\r?\n)?/.exec(base64) ?? [];
  const encoded = Buffer.from(text).toString(/[-_]/.test(base64) ? 'base64url' : 'base64');
  if (end === '') return encoded;
  const lines = encoded.match(new RegExp(`.{1,${first.length - end.length}}`, 'g')) ?? [];
  return lines.join(end) + (base64.endsWith('\n') ? end : '');
}

/** Cookies also contain plain values, such as the language. */
function findCookies(header: string, path: readonly string[], find: Find): void {
  const pairs = path.at(-1) === 'cookie' ? header.split(';') : header.split(';', 1);
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^\s*([^=\s][^=]*)=(.*)$/.exec(pair) ?? [];
    const isSecret = isSecretName(name, 'data')
      ? !isPlain(name, value)
      : value.length >= 12 && looksRandom(value);
    if (canBeSecret(value) && isSecret) find(value, [...path, name]);
  }
}

/** Returns a path without the positions in lists. */
export const readablePath = (path: readonly string[]): string =>
  path.filter((part) => !/^\d+$/.test(part)).join('.');

/** Shorter secrets are replaced only where they are the whole value, because they could be part of many words. */
const SHORTEST_ANYWHERE = 6;

/** Whether a path from the user, such as `email` or `event.props.user`, matches the end of a value's path. */
const isRedacted = (path: readonly string[], redact: readonly string[]): boolean =>
  redact.some((written) => {
    const parts = written.split('.');
    return parts.every((part, index) => path.at(index - parts.length) === part);
  });

export function mapTexts(
  value: unknown,
  path: readonly string[],
  change: (value: string | number, path: readonly string[]) => string | number,
): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value, path);
  if (Array.isArray(value))
    return value.map((inner, index) => mapTexts(inner, [...path, String(index)], change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      String(change(name, path)),
      mapTexts(inner, [...path, name], change),
    ]),
  );
}

export const masks = new RegExp(`${hiddenSecret}|${encodeURIComponent(hiddenSecret)}`, 'g');
