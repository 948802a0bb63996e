const MARK = 'EXAMPLE';
/** The shape of a secret whose value is unknown, because the log contains only a mask. Valid base64, but not hexadecimal. */
const USUAL_SHAPE = 'xxxxxxxxxxxxxxxxxxxxxxX0';
const MOST_ATTEMPTS = 1000;

/**
 * Returns a replacement for a secret. It is always the same for the same name and shape: letters stay letters of the
 * same case, and digits stay digits. If 7 letters follow each other, they become "example", so most secret scanners do not
 * report it.
 */
export function madeUpValue(
  name: string,
  original = USUAL_SHAPE,
  isTaken: (value: string) => boolean = () => false,
): string {
  for (let attempt = 0; ; attempt += 1) {
    const made = withShape(original, attempt === 0 ? name : `${name} ${attempt}`);
    if (attempt === MOST_ATTEMPTS || (made !== original && !isTaken(made))) return made;
  }
}

/** In the log, the signature is masked. */
export const webToken = /^(eyJ[\w-]+)\.(eyJ[\w-]+)\.([\w-]*|\u2022{3})$/;

function withShape(original: string, name: string): string {
  const [, head, claims = '', signature = ''] = webToken.exec(original) ?? [];
  if (head !== undefined) return `${head}.${madeUpClaims(claims, name)}.${withShape(signature, name)}`;
  const isHex = /^[\da-f-]+$/i.test(original) && /\d/.test(original);
  const draw = drawFrom(name);
  const [small, large] = isHex
    ? ['abcdef', 'ABCDEF']
    : ['abcdefghijkmnpqrstuvwxyz', 'abcdefghijkmnpqrstuvwxyz'.toUpperCase()];
  const made = original.replaceAll(/\p{Lu}|\p{L}|\d/gu, (character) =>
    draw(/\d/.test(character) ? '123456789' : /\p{Lu}/u.test(character) ? large : small),
  );
  if (isHex || made.length < 16) return made;
  return made.replace(/[A-Za-z]{7}/, (run) =>
    MARK.replaceAll(/./g, (letter, at: number) =>
      /[a-z]/.test(run[at] ?? '') ? letter.toLowerCase() : letter,
    ),
  );
}

/** Scripts read the claims of a JSON Web Token, so their names, numbers and short values are kept. */
function madeUpClaims(claims: string, name: string): string {
  try {
    const known: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const made = JSON.stringify(known, (_, value: unknown) =>
      typeof value === 'string' && value.length >= 8 ? withShape(value, name) : value,
    );
    return Buffer.from(made).toString('base64url');
  } catch {
    return withShape(claims, name);
  }
}

function drawFrom(name: string): (characters: string) => string {
  let state = 7;
  for (const character of name) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (characters) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    return characters.charAt((state >>> 16) % characters.length);
  };
}
