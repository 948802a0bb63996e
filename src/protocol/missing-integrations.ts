/** The integrations of a session whose entries are missing from a list. */
export const missingHeader = 'x-platform-missing';

export function describeMissing({ headers }: Response): string | undefined {
  const names = headers.get(missingHeader);
  return names === null
    ? undefined
    : `No response from ${decodeURIComponent(names)}. The other entries are shown.`;
}
