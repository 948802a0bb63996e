/** Carries drafts over from a tab whose session has ended to the next session, which has a different origin. */
export type Carried = readonly (readonly [key: string, value: unknown])[];

const storageKey = 'carried-drafts';
/** Browsers accept URLs of up to 2 MB. */
const mostCharacters = 500_000;

/** Encodes drafts for the fragment of a link. Browsers do not send the fragment to the server. */
export function packDrafts(drafts: Carried): string {
  const packed = drafts.length === 0 ? '' : `&drafts=${encodeURIComponent(JSON.stringify(drafts))}`;
  return packed.length > mostCharacters ? '' : packed;
}

/** Keeps the drafts in the URL fragment until the page has loaded. */
export function keepCarried(fragment: string): void {
  const packed = /&drafts=([^&]+)/.exec(fragment)?.[1];
  if (packed !== undefined) sessionStorage.setItem(storageKey, packed);
}

/** Returns the drafts and removes them, so that a later session never receives them. */
export function takeCarried(): Carried {
  const packed = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  if (packed === null) return [];
  try {
    const drafts: unknown = JSON.parse(decodeURIComponent(packed));
    return Array.isArray(drafts) ? drafts.filter(isCarried) : [];
  } catch {
    return [];
  }
}

const isCarried = (entry: unknown): entry is Carried[number] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && entry[0].startsWith('draft ');
