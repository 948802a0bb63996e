/** Returns the redirect target of a response. */
export const locationOf = ({
  status,
  headers,
}: {
  status: number;
  headers: Iterable<readonly [name: string, value: string]>;
}): string | undefined =>
  status >= 300 && status < 400
    ? [...headers].find(([name]) => name.toLowerCase() === 'location')?.[1]
    : undefined;
