const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const html: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const named: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\\': '&bsol;',
  ä: '&auml;',
  é: '&eacute;',
};

/** The forms in which programs write a secret. Scripts under test receive the source of these functions. */
export const secretForms: Record<string, (secret: string) => string> = {
  'doubly escaped in JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'escaped for HTML': (secret) => secret.replaceAll(/[&<>"']/g, (character) => html[character] ?? ''),
  'as \\uXXXX': (secret) => secret.replaceAll(/[^]/g, unicode),
  'encoded twice for URLs': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in hex with colons': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$&:'),
  'in upper-case hex': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'as a JSON list of bytes': (secret) => JSON.stringify([...Buffer.from(secret)]),
  'as numbered bytes': (secret) => JSON.stringify(Object.assign({}, Buffer.from(secret))).slice(1, -1),
  'as numbered bytes after others': (secret) =>
    JSON.stringify(Object.assign({}, Buffer.from(`Bearer ${secret}`))).slice(1, -1),
  'as a buffer in JSON': (secret) => JSON.stringify(Buffer.from(secret)),
  'as decimal bytes with spaces': (secret) => Buffer.from(secret).join(' '),
  'as hex with spaces': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$& '),
  'as hex in a list': (secret) =>
    Array.from(Buffer.from(secret), (byte) => `0x${byte.toString(16)}`).join(', '),
  'as percents in mixed case': (secret) =>
    Array.from(Buffer.from(secret), (byte, at) => {
      const hex = byte.toString(16).padStart(2, '0');
      return `%${at % 2 === 0 ? hex : hex.toUpperCase()}`;
    }).join(''),
  'as \\xXX of its bytes': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replaceAll(/../g, String.raw`\x$&`),
  'as decimal references': (secret) =>
    Array.from(secret)
      .map((character) => `&#${character.codePointAt(0)};`)
      .join(''),
  'as hexadecimal references': (secret) =>
    Array.from(secret)
      .map((character) => `&#x${character.codePointAt(0)?.toString(16)};`)
      .join(''),
  'with named references': (secret) =>
    secret.replaceAll(/[-&<>"'\\äé]/g, (character) => named[character] ?? character),
  'in upper case': (secret) => secret.toUpperCase(),
  'in JSON nested three times': (secret) =>
    JSON.stringify(JSON.stringify(JSON.stringify(secret))).slice(7, -7),
  'as UTF-8 read as Latin-1': (secret) => Buffer.from(secret).toString('latin1'),
  'as UTF-8 read as Latin-1 and escaped': (secret) =>
    encodeURIComponent(Buffer.from(secret).toString('latin1')),
  'as \\u{XX}': (secret) =>
    Array.from(secret, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join(''),
  'as quoted-printable': (secret) =>
    Array.from(Buffer.from(secret), (byte) =>
      byte > 126 || byte === 61 ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte),
    ).join(''),
  'as a string of SQL': (secret) => `'${secret.replaceAll("'", "''")}'`,
  'as a field of CSV': (secret) => `"${secret.replaceAll('"', '""')}"`,
  'in single quotes of a shell': (secret) => `'${secret.replaceAll("'", String.raw`'\''`)}'`,
  'as Python quotes it for a shell': (secret) => `'${secret.replaceAll("'", `'"'"'`)}'`,
  'in double quotes of a shell': (secret) => `"${secret.replaceAll(/["$\x60\\]/g, String.raw`\$&`)}"`,
  'as printf %q of a shell': (secret) => secret.replaceAll(/[^\w@%+=:,./-]/g, String.raw`\$&`),
  'as signed bytes': (secret) => Int8Array.from(Buffer.from(secret)).join(', '),
  'with accents of their own': (secret) => secret.normalize('NFD'),
};
