import { createHash, timingSafeEqual } from 'node:crypto';

export type HostCheck = ReturnType<typeof createHostCheck>;

/**
 * `names` are the host names that requests may use. By default, only the host name of `origin` is allowed, because a page with
 * a different host name would have a different origin with separate storage.
 */
export function createHostCheck(
  origin: string,
  names: readonly string[] = [new URL(origin).hostname],
  publicUrl?: string,
) {
  const { port } = new URL(origin);
  const suffix = port ? `:${port}` : '';
  const local = new Set(names.map((name) => `${name}${suffix}`));
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const origins = new Set([...local].map((host) => `http://${host}`));
  /** Whether the Origin header contains a different origin. A different port makes it a different origin. */
  const hasForeignOrigin = ({ headers }: Request): boolean => {
    const from = headers.get('origin');
    return from !== null && !origins.has(from);
  };

  return {
    /** Returns the kind of host in an absolute URL. */
    host(url: string) {
      const start = url.indexOf('//') + 2;
      const end = url.indexOf('/', start);
      const host = url.slice(start, end === -1 ? undefined : end);
      if (local.has(host)) return 'local';
      return host === publicHost ? 'public' : 'unknown';
    },
    hasForeignOrigin,
    /** Whether a browser sent the request for a page from another origin, with or without an Origin header. */
    isFromForeignPage(request: Request) {
      if (hasForeignOrigin(request)) return true;
      // `same-site` also counts as foreign, because it ignores the port.
      const site = request.headers.get('sec-fetch-site');
      // `none` can mean that the user typed the URL, but also that another page is prefetching it.
      if (site === 'none') return request.headers.has('sec-purpose');
      return site !== null && site !== 'same-origin';
    },
  };
}

/**
 * Whether the request came through a tunnel or proxy. A tunnel or proxy may rewrite Host, so checking for a local Host is not
 * enough.
 */
export const wasForwarded = ({ headers }: Request): boolean =>
  [...headers.keys()].some((name) => forwardingHeader.test(name));

/** Other programs send neither header. A browser opening a WebSocket sends only the first. */
export const isFromBrowser = ({ headers }: { headers: Pick<Headers, 'has'> }): boolean =>
  headers.has('origin') || headers.has('sec-fetch-site');

/** Whether a browser opens the URL as a top-level page, rather than in a frame or as a prefetch. */
export const isNavigation = (headers: Headers): boolean =>
  headers.get('sec-fetch-dest') === 'document' && !headers.has('sec-purpose');

/** Headers that tunnels and proxies add and local programs do not need. */
const forwardingHeader = new RegExp(
  `^(?:${[
    // Standards: RFC 7239, and RFC 9110 for gateways.
    'forwarded|via',
    // nginx, Apache, Traefik, HAProxy, Caddy, ngrok, VS Code, cloud load balancers.
    'x-forwarded|x-forwarded-.*|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-proxyuser-ip',
    // Content delivery networks: Cloudflare, Akamai, Fastly, CloudFront, Azure Front Door.
    'cf-.*|cdn-loop|true-client-ip|fastly-.*|cloudfront-.*|x-amz-cf-id|x-azure-.*',
    // Platforms that forward to a machine: Fly.io, App Engine, Envoy.
    'fly-.*|x-appengine-.*|x-envoy-.*',
    // Tunnels: ngrok, Tailscale, Pinggy, VS Code and GitHub.
    'ngrok-.*|tailscale-.*|x-pinggy-.*|x-tunnel-.*',
  ].join('|')})$`,
);

/** Checks whether a request contains this session's key. Compares digests, so that timing reveals nothing about the key. */
export function createKeyCheck(key: string): (request: Request) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(key);
  return ({ headers }) => {
    const given = headers.get('x-platform-token');
    return given !== null && timingSafeEqual(digest(given), expected);
  };
}
