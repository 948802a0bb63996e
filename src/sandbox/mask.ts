import type { Environment } from '../protocol/environment.js';

const MASK = '•••';
/** Shorter values are too common in ordinary text to hide. */
const SHORTEST = 4;

/** Hides secret values in text, in clear and in the usual encodings. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const forms = [
    ...new Set([...secrets].filter((secret) => secret.length >= SHORTEST).flatMap(formsOf)),
  ].sort((a, b) => b.length - a.length);
  return (text) =>
    forms.reduce((masked, form) => (masked.includes(form) ? masked.split(form).join(MASK) : masked), text);
}

function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const percent = encodeURIComponent(secret);
  const strict = percent.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    hex,
    hex.toUpperCase(),
    ...[percent, strict, encodeURI(secret)].flatMap((form) => [
      form,
      lowerEscapes(form),
      form.replaceAll('%20', '+'),
    ]),
    json,
    json.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...[0, 1, 2].flatMap((offset) => base64Cores(bytes, offset)),
  ];
}

const lowerEscapes = (text: string): string =>
  text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

/** The characters that the bytes alone decide when they begin `offset` bytes into a base64 group. */
function base64Cores(bytes: Uint8Array, offset: number): string[] {
  const encoded = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes)).replaceAll('=', '');
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const core = encoded.slice(start, end);
  if (core.length < SHORTEST) return [];
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Every value of an environment that must not be shown. */
export function secretsOf(environment: Environment): string[] {
  const { apiTokens, secrets, signingSecrets, installation, siteInstallation, spaceInstallation } =
    environment;
  const credentials = [installation, siteInstallation, spaceInstallation].map(
    (place) => place?.configuration['oauth_credentials'],
  );
  return [apiTokens, secrets, signingSecrets, ...credentials].flatMap(leaves);
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
