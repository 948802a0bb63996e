type Answer = (request: Request) => Response | Promise<Response>;

export interface Stubs {
  add(address: string, answer: Answer): void;
  /** Like `fetch`, to a world in which nothing but the stubs exists. */
  fetch(request: Request): Promise<Response>;
}

export function createStubs(): Stubs {
  const stubs = new Map<string, Answer>();
  return {
    add: (address, answer) => stubs.set(normalise(address), answer),
    async fetch(request) {
      const asked = normalise(request.url);
      const match = [...stubs]
        .filter(([address]) => isBelow(asked, address))
        .sort(([a], [b]) => b.length - a.length)[0];
      if (match) return match[1](request);
      const { origin } = new URL(request.url);
      throw new TypeError(
        `Tests reach no network, and nothing answers ${request.method} ${asked}. ` +
          `Say what should: platform.stub('${origin}', () => Response.json({})).`,
      );
    },
  };
}

const normalise = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

const isBelow = (asked: string, address: string): boolean =>
  asked === address || asked.startsWith(`${address}/`);
