import type { IntegrationBlock } from './integration.js';

/** Returns the first block with a pattern that matches the start of this link. In a pattern, `*` matches any text. */
export function blockForLink(
  blocks: readonly IntegrationBlock[],
  text: string,
): IntegrationBlock | undefined {
  const link = readLink(text);
  return link === undefined
    ? undefined
    : blocks.find(({ urlUnfurl }) => urlUnfurl.some((pattern) => matches(pattern, link)));
}

export function readLink(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^https?:[/][/]\S+$/i.test(trimmed)) return undefined;
  return URL.canParse(trimmed) ? trimmed : undefined;
}

function matches(pattern: string, link: string): boolean {
  const bare = (address: string): string => address.replace(/^https?:[/][/](www[.])?/i, '');
  const parts = bare(pattern).split('*');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = bare(link).indexOf(part, at);
    if (found === -1 || (index === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  return true;
}
