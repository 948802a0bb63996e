import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Endpoint } from '../webhooks/model/endpoint.js';
import { StoreError } from '../base/store-error.js';

/** Encrypts the signing secrets of endpoints before they are stored. */
export type SecretKeys = ReturnType<typeof createSecretKeys>;

interface Key {
  id: string;
  bytes: Buffer;
}

const prefix = 'sealed';
const cipher = 'aes-256-gcm';

/**
 * The first key is used for encryption, and every key can be used for decryption. Without keys, secrets are stored unencrypted.
 * Each key is 32 bytes in base64, as printed by `openssl rand -base64 32`.
 */
export function createSecretKeys(keys: readonly string[]) {
  const known = keys.map(parseKey);
  const [current] = known;

  const open = (secret: string, endpointId: string): string => {
    const [kind, id, nonce = '', tag = '', text = ''] = secret.split(':');
    if (kind !== prefix) return secret;
    const key = known.find((one) => one.id === id);
    if (!key) throw current ? wrongKey(endpointId) : noKey(endpointId);
    try {
      // By default, Node also accepts shorter tags, which can be guessed.
      const decipher = createDecipheriv(cipher, key.bytes, Buffer.from(nonce, 'base64'), {
        authTagLength: 16,
      });
      // The endpoint id is authenticated too, so a secret copied to a different endpoint cannot be decrypted.
      decipher.setAAD(Buffer.from(endpointId)).setAuthTag(Buffer.from(tag, 'base64'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64')), decipher.final()]).toString();
    } catch (cause) {
      throw wrongKey(endpointId, cause);
    }
  };

  const seal = (secret: string, endpointId: string): string => {
    if (!current) return secret;
    const nonce = randomBytes(12);
    const encipher = createCipheriv(cipher, current.bytes, nonce).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([encipher.update(secret, 'utf8'), encipher.final()]);
    const parts = [nonce, encipher.getAuthTag(), text].map((bytes) => bytes.toString('base64'));
    return [prefix, current.id, ...parts].join(':');
  };

  return {
    /** Decrypts the secrets. Throws if any of them was encrypted with an unknown key. */
    open: (endpoint: Endpoint) => (isSealed(endpoint) ? mapSecrets(endpoint, open) : endpoint),
    seal: (endpoint: Endpoint) => mapSecrets(endpoint, seal),
    /** Whether the secrets are already stored in the form that `seal` produces. */
    isCurrent: ({ secret, previousSecret }: Endpoint) =>
      [secret, previousSecret?.secret ?? secret].every((one) =>
        one.startsWith(`${prefix}:${current?.id ?? ''}:`),
      ),
  };
}

const isSealed = ({ secret, previousSecret }: Endpoint): boolean =>
  [secret, previousSecret?.secret].some((one) => one?.startsWith(`${prefix}:`));

function mapSecrets(endpoint: Endpoint, map: (secret: string, endpointId: string) => string): Endpoint {
  const { id, secret, previousSecret } = endpoint;
  return {
    ...endpoint,
    secret: map(secret, id),
    ...(previousSecret && { previousSecret: { ...previousSecret, secret: map(previousSecret.secret, id) } }),
  };
}

function parseKey(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32) {
    throw new StoreError('store/secret-key', 'A secret key must be 32 bytes in base64.', {
      hint: 'Create one with: openssl rand -base64 32',
    });
  }
  return { bytes, id: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
}

const noKey = (endpointId: string): StoreError =>
  new StoreError(
    'store/secret-key',
    `The signing secret of endpoint ${endpointId} is encrypted, but no key was passed.`,
    {
      hint: 'Set PLATFORM_SECRET_KEY to the key, or pass --secret-key NAME to read it from another variable.',
    },
  );

const wrongKey = (endpointId: string, cause?: unknown): StoreError =>
  new StoreError(
    'store/secret-key',
    `The signing secret of endpoint ${endpointId} is encrypted with a different key.`,
    {
      hint: 'Pass all keys that are in use. --secret-key NAME reads a comma-separated list of keys from the environment variable NAME.',
      cause,
    },
  );
