const LONGEST = 16 * 1024;

/** Keeps the first 16 KiB of headers. */
export function limitHeaders(headers: Iterable<[name: string, value: string]>): [string, string][] {
  let room = LONGEST;
  return [...headers].filter(([name, value]) => {
    room -= name.length + value.length;
    return room >= 0;
  });
}
