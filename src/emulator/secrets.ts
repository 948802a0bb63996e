import type { Environment } from '../protocol/environment.js';
import { createMask, hiddenSecret, maskSpellings, type Mask } from '../protocol/mask.js';
import { maskValue, textsIn } from './mask-value.js';
import type { Registry } from './registry.js';

/** Knows every secret of the platform, and hides them. */
export interface Secrets {
  mask(text: string): string;
  maskValue<T>(value: T): T;
  /** Whether `maskValue` would hide any. */
  occurIn(value: unknown): boolean;
  /** The same object for the same environment, until a secret is added. */
  maskEnvironment(environment: Environment | undefined): Environment | undefined;
  /** The same bytes where there is none in them. */
  maskBytes(bytes: Uint8Array): Uint8Array;
  /** Hides secrets in a body that passes in pieces; call it without a piece at the end. */
  bodyMask(): (chunk?: Uint8Array) => Uint8Array | undefined;
  /** One more: a token that was just made. */
  add(secret: string): void;
}

interface Masks {
  text: Mask;
  bytes(latin1: string): string;
  longest: number;
  environments: WeakMap<Environment, Environment>;
}

export function createSecrets(registry: Registry, own: string[]): Secrets {
  const added = new Set<string>();
  let masks: Masks | undefined;
  registry.onChange(() => (masks = undefined));
  const current = (): Masks => (masks ??= createMasks([...added, ...own, ...secretsOf(registry)]));
  const mask = (text: string): string => current().text(text);

  return {
    mask,
    maskValue: (value) => maskValue(value, mask),
    occurIn(value) {
      const json = JSON.stringify(value);
      if (mask(json) !== json) return true;
      // Where nothing is escaped, all texts stand there as they are.
      if (!json.includes('\\')) return false;
      const texts = textsIn(value);
      return mask(texts) !== texts;
    },
    maskEnvironment(environment) {
      if (!environment) return undefined;
      const { environments } = current();
      const masked = environments.get(environment) ?? maskValue(environment, mask);
      environments.set(environment, masked);
      return masked;
    },
    maskBytes: (bytes) => maskBytes(bytes, current()),
    bodyMask: () => createBodyMask(current()),
    add(secret) {
      added.add(secret);
      masks = undefined;
    },
  };
}

function createMasks(secrets: string[]): Masks {
  const text = createMask(secrets);
  const inBytes = text.spellings.map(asBytes);
  return {
    text,
    bytes: maskSpellings(inBytes, asBytes(hiddenSecret)),
    longest: Math.max(0, ...inBytes.map(({ length }) => length)),
    environments: new WeakMap(),
  };
}

/** The UTF-8 bytes of a text, a character each. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

function maskBytes(given: Uint8Array, { bytes }: Masks): Uint8Array {
  const text = Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('latin1');
  const masked = bytes(text);
  return masked === text ? given : Buffer.from(masked, 'latin1');
}

function createBodyMask({ bytes, longest }: Masks): (chunk?: Uint8Array) => Uint8Array | undefined {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const piece = chunk ? Buffer.concat([rest, chunk]) : rest;
    const text = piece.toString('latin1');
    const masked = bytes(text);
    const all = masked === text ? piece : Buffer.from(masked, 'latin1');
    // A secret may begin at the end of this piece.
    const ready = chunk ? Math.max(0, all.length - longest + 1) : all.length;
    rest = Buffer.from(all.subarray(ready));
    return ready === 0 ? undefined : all.subarray(0, ready);
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

/** Words such as `bearer` stand in credentials too, and in every other text. */
const shortestCredential = 8;

const texts = (value: unknown): string[] => {
  if (typeof value === 'string') return value.length < shortestCredential ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};
