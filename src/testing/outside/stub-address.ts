/**
 * The requests that a stub matches: `[METHOD ]URL[?query]`. `*` matches any text in the host or a path
 * segment.
 */
export interface StubAddress {
  matches(request: Pick<Request, 'method' | 'url'>): boolean;
  /** How specific it is. The most specific stub wins. */
  weight: number[];
}

const written = /^(?:([A-Z]+) +)?(\S+)$/;

/** A path that starts with `/` is relative to `apiBase`. */
export function parseStubAddress(text: string, apiBase: string): StubAddress {
  const [, method, address = ''] = written.exec(text) ?? [];
  const whole = address.startsWith('/') ? `${apiBase}${address}` : address;
  if (!URL.canParse(whole) || !/^https?:$/.test(new URL(whole).protocol)) {
    throw new Error(
      `"${text}" is not an address to stub. Write https://api.example.com/v1, POST https://api.example.com/v1, ` +
        `https://*.example.com, or a path of the platform's API such as /spaces/*.`,
    );
  }
  const { origin, host, pathname, searchParams } = new URL(whole);
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  const pattern = new RegExp(`^${base.split('*').map(escape).join('[^/?]+')}(?:/|$)`);
  const query = [...searchParams];
  const wildcards = base.split('*').length - 1;
  return {
    matches(request) {
      if (method !== undefined && method !== request.method) return false;
      const { origin, pathname, searchParams } = new URL(request.url);
      if (!pattern.test(`${origin}${pathname.replace(/\/+$/, '')}`)) return false;
      return query.every(([name, value]) => searchParams.getAll(name).includes(value));
    },
    weight: [host.includes('*') ? 0 : 1, base.length - wildcards, query.length, method === undefined ? 0 : 1],
  };
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
