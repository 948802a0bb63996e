import { secretShapes, type SecretShape } from '../../base/text/secret-shapes.js';

/** A token in a URL instead of a user name. */
const userInUrl = /:\/\/(?=[^\s/:@"'<>]{0,200}\d)([^\s/:@"'<>]{12,200})@/g;

/** Finds secrets that are recognizable only by their format. */
export const possibleSecretsIn = (text: string): string[] =>
  [...secretShapes, { possible: userInUrl }].flatMap(({ exact, possible = exact }: Partial<SecretShape>) =>
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
export const maySecretBeIn = (text: string, made: ReadonlySet<string>): boolean =>
  (text.slice(0, LONGEST).match(longRandom) ?? []).some(
    (part) =>
      !madeUp.test(part) &&
      !made.has(part) &&
      !plainId.test(part) &&
      /\d/.test(part) &&
      /[A-Z]/.test(part) &&
      /[a-z]/.test(part),
  );

const LONGEST = 64 * 1024;

const privateNumbers: [kind: string, pattern: RegExp, check?: (found: string) => boolean][] = [
  ['a social security number', /(?<![\w-])(?!000|666|9)\d{3}-\d{2}-\d{4}(?![\w-])/g],
  ['an IBAN', /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g, isIban],
  ['a card number', /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w.-])/g, isCardNumber],
  ['a PIN', /\bpin(?:[ _-]?(?:code|number))?\b["']?(?: is)?\s{0,3}[:=]?\s{0,3}["']?\d{4,8}(?![\w.-])/gi],
];

/** Returns the kinds of numbers in a text that are likely to belong to a person. */
export const privateNumbersIn = (text: string): string[] =>
  privateNumbers.flatMap(([kind, pattern, check = () => true]) =>
    (text.slice(0, LONGEST).match(pattern) ?? []).some(check) ? [kind] : [],
  );

function isIban(found: string): boolean {
  const text = found.replaceAll(' ', '');
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4))
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

function isCardNumber(found: string): boolean {
  const digits = found.replaceAll(/\D/g, '');
  let sum = 0;
  for (const [at, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0 && /^[3-6]/.test(digits);
}
