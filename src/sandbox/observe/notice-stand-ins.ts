import { standInFor } from '../../protocol/environment.js';

const beginning = standInFor('');

/** Logs when the script reads the made-up value of a secret. The script's runtime parses the secrets with `JSON.parse`. */
export function noticeStandIns(warn: (text: string) => void): void {
  const { parse } = JSON;
  JSON.parse = (text: unknown, ...rest) => {
    const value: unknown = parse(text as string, ...rest);
    if (typeof text === 'string' && text.includes(beginning))
      watch((value as { secrets?: unknown } | null)?.secrets, warn);
    return value;
  };
}

function watch(secrets: unknown, warn: (text: string) => void): void {
  for (const [name, value] of Object.entries(secrets ?? {})) {
    if (value !== standInFor(name)) continue;
    const get = (): unknown => {
      Object.defineProperty(secrets, name, { value, writable: true, enumerable: true, configurable: true });
      warn(
        `The secret ${name} is in a vault, so the script gets a made-up value. "platform validate" says how to set it.`,
      );
      return value;
    };
    Object.defineProperty(secrets, name, { get, enumerable: true, configurable: true });
  }
}
