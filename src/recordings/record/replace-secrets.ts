import { createScan, hiddenSecret } from '../../protocol/mask-secrets.js';
import { spellingsOf } from '../../protocol/secret-spellings.js';
import type { RecordedCall } from '../file/recording.js';
import { madeUpValue } from './made-up-value.js';
import { isSignature } from './sign-again.js';
import { canBeSecret, isSecretName, type Field } from './secret-names.js';

/** Secrets found by their field names, with their replacements. */
export interface ReplacedSecrets {
  calls: RecordedCall[];
  /** The readable positions, without duplicates. */
  places: string[];
}

/** The parts of a call with users' input and stored values. */
const inputs = new Set(['stored', 'state', 'action', 'task', 'configuration', 'props', 'query']);

/**
 * Replaces secrets in drafts. Masked values get a made-up value for their field name. Values that only a name
 * reveals are replaced too, and so is every other occurrence in any encoding.
 */
export function replaceSecrets(drafts: readonly RecordedCall[], redact: readonly string[]): ReplacedSecrets {
  const found = new Map<string, string>();
  const places = new Set<string>();
  const note = (path: readonly string[]): void =>
    void places.add(path.filter((part) => !/^\d+$/.test(part)).join('.'));
  const find = (value: string, path: readonly string[]): void => {
    const name = path.at(-1) ?? '';
    note(path);
    if (!value.includes(hiddenSecret) && !found.has(value)) found.set(value, madeUpValue(name, value.length));
  };
  for (const draft of drafts)
    walk(draft, [], 'data', (value, path, field) => {
      const name = path.at(-1) ?? '';
      if (isRedacted(path, redact) && value.length >= 4) return find(value, path);
      if (path.includes('headers') && isSignature(name, value)) return;
      const [, credentials] = (name === 'authorization' && /^\w+ (.+)$/.exec(value)) || [];
      if (credentials !== undefined) return find(credentials, path);
      if (canBeSecret(value) && isSecretName(name, field)) return find(value, path);
      for (const [key, inner] of pairsIn(value, path))
        if (canBeSecret(inner) && isSecretName(key, 'input')) find(inner, [...path, key]);
    });
  const scans = [...found]
    .filter(([secret]) => secret.length >= SHORTEST_ANYWHERE)
    .sort(([a], [b]) => b.length - a.length)
    .map(([secret, made]) => createScan(spellingsOf(secret), made));
  const clean = (text: string): string =>
    found.get(text) ?? scans.reduce((left, scan) => scan(left, left.length).masked ?? left, text);
  const calls = drafts.map((draft) => {
    // The recording's own names and numbers stay unchanged.
    const { name, after, ...rest } = draft;
    const cleaned = mapTexts(rest, [], (text, path) => fillMasks(clean(text), path, note));
    return { name: clean(name), after, ...(cleaned as Omit<RecordedCall, 'name' | 'after'>) };
  });
  return { calls, places: [...places] };
}

/** A shorter secret is replaced only if it is the whole value, because it is part of too many words. */
const SHORTEST_ANYWHERE = 6;

/** Matches a path from the user, such as `email` or `event.props.user`, with the end of a value's path. */
const isRedacted = (path: readonly string[], redact: readonly string[]): boolean =>
  redact.some((written) => {
    const parts = written.split('.');
    return parts.every((part, index) => path.at(index - parts.length) === part);
  });

type Visit = (value: string, path: readonly string[], field: Field) => void;

function walk(value: unknown, path: readonly string[], field: Field, visit: Visit): void {
  if (typeof value === 'string') visit(value, path, field);
  else if (Array.isArray(value))
    for (const [index, inner] of value.entries()) walk(inner, [...path, String(index)], field, visit);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      walk(inner, [...path, name], inputs.has(name) ? 'input' : field, visit);
}

/** Returns named values in a URL, a form, or JSON in a string. */
function pairsIn(value: string, path: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  const query = /^(?:[A-Z]+ )?[a-z][a-z0-9+.-]*:\/\/[^?#]*\?([^#]*)/.exec(value)?.[1] ?? formIn(value);
  if (query !== undefined) pairs.push(...new URLSearchParams(query));
  if (/^\s*[[{]/.test(value)) {
    try {
      walk(JSON.parse(value), path, 'input', (inner, at) => pairs.push([at.at(-1) ?? '', inner]));
    } catch {
      // Not JSON.
    }
  }
  return pairs;
}

const formIn = (value: string): string | undefined =>
  /^[\w.[\]%+-]+=[^\s&]*(?:&[\w.[\]%+-]+=[^\s&]*)*$/.test(value) ? value : undefined;

function mapTexts(
  value: unknown,
  path: readonly string[],
  change: (text: string, path: readonly string[]) => string,
): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value))
    return value.map((inner, index) => mapTexts(inner, [...path, String(index)], change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      change(name, path),
      mapTexts(inner, [...path, name], change),
    ]),
  );
}

const escapedMask = /%E2%80%A2%E2%80%A2%E2%80%A2/g;

/** Fills in masked secrets. Requests keep the mask, which matches anything, until they are sent. */
function fillMasks(text: string, path: readonly string[], note: (path: readonly string[]) => void): string {
  if (!text.includes(hiddenSecret) && !escapedMask.test(text)) return text;
  note(path);
  if (path[0] === 'outbound' && (path[2] === 'send' || path[2] === 'body')) return text;
  const made = madeUpValue(path.at(-1) ?? '');
  return text.replaceAll(hiddenSecret, made).replaceAll(escapedMask, made);
}
