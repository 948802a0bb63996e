import type { Environment } from '../../protocol/environment.js';
import { createMask, createScan, hiddenSecret, type Mask, type Scan } from '../../protocol/mask-secrets.js';
import { spellingsOf, type Spelling } from '../../protocol/secret-spellings.js';
import type { Registry } from './registry.js';

/** Collects and masks all secrets known to the platform. */
export type Secrets = ReturnType<typeof createSecrets>;

interface Masks {
  secrets: string[];
  spelled: Map<string, Spelling[]>;
  text: Mask;
  /** Masks a property name. Most names are the platform's own. */
  name(name: string): string;
  /** Masks a string in which each character represents one byte. */
  bytes: Scan;
  longest: number;
  environments: WeakMap<Environment, Environment>;
}

const maxReplaced = 64;

export function createSecrets(registry: Registry, own: string[]) {
  const added = new Set<string>();
  const replaced = new Set<string>();
  let present: string[] = [];
  let masks: Masks | undefined;
  let changed = true;
  registry.onChange(() => (changed = true));
  /** Keeps old secrets, because running calls still use the ones that were set when they started. */
  const takeFromRegistry = (): string[] => {
    const before = present;
    present = secretsOf(registry);
    const kept = new Set(present);
    for (const secret of before) if (!kept.has(secret)) replaced.add(secret);
    for (const secret of replaced) {
      if (replaced.size <= maxReplaced) break;
      replaced.delete(secret);
    }
    return present;
  };
  const current = (): Masks => {
    if (masks && !changed) return masks;
    changed = false;
    const secrets = [...new Set([...takeFromRegistry(), ...replaced, ...added, ...own])];
    // Most changes do not affect any secrets.
    if (masks?.secrets.join('\0') !== secrets.join('\0')) masks = createMasks(secrets, masks);
    return masks;
  };
  const mask = (text: string): string => current().text(text);
  const occurIn = (value: unknown): boolean => {
    const json = JSON.stringify(value);
    if (mask(json) !== json) return true;
    // If there are no escape sequences, every string appears unchanged in the JSON.
    if (!json.includes('\\')) return false;
    const texts = textsIn(value);
    return mask(texts) !== texts;
  };

  return {
    mask,
    /** Returns the same value if it contains no secrets. */
    maskValue: <T>(value: T): T => (occurIn(value) ? maskValue(value, current()) : value),
    /** Whether a value contains secrets. */
    occurIn,
    /** Returns the same object for the same environment until a secret is added. */
    maskEnvironment(environment: Environment | undefined) {
      if (!environment) return undefined;
      const { environments } = current();
      const masked = environments.get(environment) ?? maskValue(environment, current());
      environments.set(environment, masked);
      return masked;
    },
    /** Returns the same bytes if they contain no secrets. */
    maskBytes: (bytes: Uint8Array) => maskBytes(bytes, current()),
    /** Masks secrets in a streamed body. At the end of the body, call the function without a chunk. */
    bodyMask: () => createBodyMask(current()),
    /** Adds a secret, such as a new token. */
    add(secret: string) {
      added.add(secret);
      changed = true;
    },
  };
}

function createMasks(secrets: string[], before: Masks | undefined): Masks {
  // Reuses earlier spellings, because computing them is the slowest part of creating a mask, and a new secret does not
  // change those of other secrets.
  const spelled = new Map(
    secrets.map((secret) => [secret, before?.spelled.get(secret) ?? spellingsOf(secret)]),
  );
  const spell = (secret: string): Spelling[] => spelled.get(secret) ?? [];
  const text = createMask(secrets, spell);
  const long = secrets.filter(({ length }) => length > longestWord);
  const beyondWords = long.length === secrets.length ? text : createMask(long, spell);
  const inBytes = text.spellings.flatMap(spellingsInBytes);
  return {
    secrets,
    spelled,
    text,
    name: (name) => (text(name) === hiddenSecret ? hiddenSecret : beyondWords(name)),
    bytes: createScan(inBytes, asBytes(hiddenSecret)),
    longest: inBytes.reduce((longest, spelling) => Math.max(longest, spelling.text.length), 0),
    environments: new WeakMap(),
  };
}

/** Returns the spellings in UTF-8 and, if different, in Latin-1. */
const spellingsInBytes = ({ text, anyCase }: Spelling): Spelling[] => {
  const utf8 = { text: asBytes(text), anyCase };
  return utf8.text === text || /[^\0-\u{FF}]/u.test(text) ? [utf8] : [utf8, { text, anyCase }];
};

/** Returns the UTF-8 bytes of a string, each represented by one character. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

function maskBytes(given: Uint8Array, { bytes }: Masks): Uint8Array {
  const text = Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('latin1');
  const { masked } = bytes(text, text.length);
  return masked === undefined ? given : Buffer.from(masked, 'latin1');
}

function createBodyMask({ bytes, longest }: Masks): (chunk?: Uint8Array) => Uint8Array | undefined {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const piece = chunk ? Buffer.concat([rest, chunk]) : rest;
    // The end of this chunk may be the beginning of a secret that continues in the next chunk.
    const until = chunk ? Math.max(0, piece.length - longest + 1) : piece.length;
    const { masked, read } = bytes(piece.toString('latin1'), until);
    rest = Buffer.from(piece.subarray(read));
    if (read === 0) return undefined;
    return masked === undefined ? piece.subarray(0, read) : Buffer.from(masked, 'latin1');
  };
}

function secretsOf(registry: Registry): string[] {
  const { token, signingSecret, link } = registry.record();
  const installations = registry.installations.all();
  const placements = registry.placements.all();
  return [
    ...Object.values(registry.integration().secrets),
    token,
    signingSecret,
    link,
    ...installations.flatMap((installation) => [installation.token, installation.signingSecret]),
    ...placements.map((placement) => placement.signingSecret),
    ...[...installations, ...placements].flatMap(({ configuration }) =>
      texts(configuration['oauth_credentials']),
    ),
  ];
}

/** A secret of up to this length, such as `bearer` or `secret`, may be an ordinary word. */
const longestWord = 7;

const secretName =
  /(token|secret|password|passphrase|key|code|credential|assertion|authorization|cookie|session|jwt|signature|verifier)s?$/i;

/** Matches letters and digits that do not look like a URL, path, scope or name. */
const looksRandom = /^(?=.*\d)(?=.*[a-z])[\w.~+=-][\w.~+/=-]{15,}$/i;

/**
 * Credentials also contain strings that appear in other places, such as `bearer`, an account name or the scope `/commands`. A
 * value is therefore treated as a secret only if its name shows that it is one or if it looks like a token.
 */
const texts = (value: unknown, named = false): string[] => {
  if (typeof value === 'string') return named || looksRandom.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => texts(inner, named || secretName.test(name)));
};

/** Returns the value with all of its text masked, including property names and numbers that are secrets. */
function maskValue<T>(value: T, { text, name }: Pick<Masks, 'text' | 'name'>): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    if (typeof part === 'number') return text(String(part)) === hiddenSecret ? hiddenSecret : part;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [name(key), walk(inner)]));
  };
  return walk(value) as T;
}

/** Joins all of the text that `maskValue` would check. */
function textsIn(value: unknown): string {
  let texts = '';
  const walk = (part: unknown): void => {
    if (typeof part === 'string' || typeof part === 'number') texts += `${part}\n`;
    else if (Array.isArray(part)) part.forEach(walk);
    else if (typeof part === 'object' && part !== null) {
      for (const [name, inner] of Object.entries(part)) {
        texts += `${name}\n`;
        walk(inner);
      }
    }
  };
  walk(value);
  return texts;
}
