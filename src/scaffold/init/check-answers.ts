import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { isUnfinished } from '../files/clear-leftovers.js';

/** True, or what is wrong, for a flag as for a question. */
export type Verdict = true | string;

export function checkName(name: string): Verdict {
  if (name.length > 100) return 'A name has at most 100 characters.';
  return (
    /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(name) ||
    'A name has letters, digits and single hyphens, such as ticket-links.'
  );
}

export const checkText =
  (what: string) =>
  (text: string): Verdict =>
    (text.trim() !== '' && !/\p{Cc}/u.test(text)) || `${what} is one line of text, and not empty.`;

export const checkOrganization = (text: string): Verdict =>
  /^[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*$/.test(text) ||
  'An organization is its id or its subdomain, such as acme.';

export const checkFolder =
  (cwd: string) =>
  (folder: string): Verdict => {
    if (folder === '' || /\p{Cc}/u.test(folder))
      return 'A folder has a name, of characters that can be seen.';
    if (/^~(?:$|[/\\])/.test(folder)) return 'Shells alone know what ~ is: write the whole path.';
    const taken = entriesOf(resolve(cwd, folder));
    return taken.length === 0 || `${folder} is not empty.`;
  };

/** What a folder holds that a new project may not lie beside. */
export function entriesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name !== '.git' && !isUnfinished(name))
    .sort();
}

/** A name for the integration made from a folder's, if one can be made. */
export const toName = (folder: string): string =>
  folder
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);

export const toTitle = (name: string): string => {
  const words = name.replaceAll('-', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
