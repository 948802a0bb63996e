const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const html: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** How programs write a secret besides as it is. Scripts under test get the source of these functions. */
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
};
