import { resolve } from 'node:path';
import { isReservedName } from '../../base/text/reserved-name.js';
import { entriesOf } from '../files/refuse-occupied-folder.js';

export type Verdict = true | string;

export function checkName(name: string): Verdict {
  if (name.length > 100) return 'A name can be at most 100 characters long.';
  return (
    /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(name) ||
    'A name can contain only letters, digits and single hyphens, such as ticket-links.'
  );
}

export const checkText =
  (what: string) =>
  (text: string): Verdict =>
    (text.trim() !== '' && !/\p{Cc}/u.test(text)) || `${what} must be one line of text, and not empty.`;

export const checkOrganization = (text: string): Verdict =>
  /^[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*$/.test(text) ||
  'Enter the id or subdomain of the organization, such as acme.';

export const checkFolder =
  (cwd: string) =>
  (folder: string): Verdict => {
    if (folder === '' || /\p{Cc}/u.test(folder)) return 'A folder name can contain only visible characters.';
    if (/^~(?:$|[/\\])/.test(folder)) return 'Only shells expand ~. Enter the full path.';
    const portable = checkPortable(folder);
    if (portable !== true) return portable;
    const taken = entriesOf(resolve(cwd, folder));
    return taken.length === 0 || `${folder} is not empty.`;
  };

/** Windows would create such a folder, but most programs there cannot open it. */
export const checkPortable = (folder: string): Verdict =>
  !folder.split(/[/\\]/).some((name) => isReservedName(name) || /[^. ][. ]+$/.test(name)) ||
  'Windows reserves names such as con, aux and nul, and names that end with a dot or a space.';

/** If possible, derives the integration's name from that of the folder. */
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
