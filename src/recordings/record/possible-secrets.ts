/**
 * Tokens that can be recognized by their form, regardless of the name of their field. If the expression has a group, the group
 * is the secret.
 */
const shapes = [
  // JSON Web Tokens.
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{1,20000}-----END [A-Z ]{0,20}PRIVATE KEY-----/g,
  // Matches the password in a URL.
  /:\/\/[^\s/:@"'<>]{0,200}:([^\s/:@"'<>]{4,200})@/g,
  /\b(?:Bearer|Basic|Token) ([\w.~+/=-]{12,})/g,
  // Matches tokens that services mark so that scanners can find them.
  /\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_\w{30,})/g,
  /\b(?:xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|hooks\.slack\.com\/services\/[\w/]{20,})/g,
  /\b(?:(?:sk|rk|whsec)_(?:live_|test_)?[\w+/]{16,}|sk-[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  /\b(?:(?:AKIA|ASIA)[A-Z\d]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,}|ATATT[\w=-]{20,}|lin_api_\w{20,})/g,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/([\w-]{20,})/g,
];

/** Finds secrets that can be recognized only by their form. */
export const secretShapesIn = (text: string): string[] =>
  shapes.flatMap((shape) => Array.from(text.matchAll(shape), ([whole, secret = whole]) => secret));

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
