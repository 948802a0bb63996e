import { secretShapes } from '../../base/text/secret-shapes.js';

/** Finds secrets that are recognizable only by their format. */
export const possibleSecretsIn = (text: string): string[] =>
  secretShapes.flatMap(({ possible }) =>
    possible ? Array.from(text.matchAll(possible), ([whole, secret = whole]) => secret) : [],
  );

const longRandom = /[A-Za-z\d+_-]{20,}/g;
const madeUp = /example|-5eed-4/i;
/** Matches digests and well-known kinds of ids, which are usually public. */
const plainId = /^(?:[\da-f-]+|[A-Z\d]+|[a-z_-]+|[a-z]+_[\dA-Z]{26})$/;

/**
 * Whether a string contains something that looks like a token. Only its owner can tell whether it really is a token or just an
 * id.
 */
export const maySecretBeIn = (text: string): boolean =>
  (text.slice(0, LONGEST).match(longRandom) ?? []).some(
    (part) =>
      !madeUp.test(part) &&
      !plainId.test(part) &&
      /\d/.test(part) &&
      /[A-Z]/.test(part) &&
      /[a-z]/.test(part),
  );

const LONGEST = 64 * 1024;
