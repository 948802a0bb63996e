import { createHash, timingSafeEqual } from 'node:crypto';

/** Which of the platform's names a request was sent to. */
type NamedHost = 'local' | 'public' | 'unknown';

export interface HostCheck {
  /** By the host of an absolute address. */
  host(url: string): NamedHost;
  /** Whether the request has an Origin, and it is not this one, port included. */
  hasForeignOrigin(request: Request): boolean;
  /** Whether a browser sent the request for a page of another origin, with an Origin header or without. */
  isFromForeignPage(request: Request): boolean;
}

/** The listener is on 127.0.0.1; `names` are those that a request may call it by. */
export function createHostCheck(origin: string, names: readonly string[], publicUrl?: string): HostCheck {
  const { port } = new URL(origin);
  const suffix = port ? `:${port}` : '';
  const local = new Set(names.map((name) => `${name}${suffix}`));
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const origins = new Set([...local].map((host) => `http://${host}`));
  const hasForeignOrigin = ({ headers }: Request): boolean => {
    const from = headers.get('origin');
    return from !== null && !origins.has(from);
  };

  return {
    host(url) {
      const start = url.indexOf('//') + 2;
      const end = url.indexOf('/', start);
      const host = url.slice(start, end === -1 ? undefined : end);
      if (local.has(host)) return 'local';
      return host === publicHost ? 'public' : 'unknown';
    },
    hasForeignOrigin,
    isFromForeignPage(request) {
      if (hasForeignOrigin(request)) return true;
      // `same-site` is foreign too: it ignores the port.
      const site = request.headers.get('sec-fetch-site');
      return site !== null && site !== 'same-origin' && site !== 'none';
    },
  };
}

/** Whether a tunnel or a proxy sent the request. It may rewrite Host, so a local Host alone proves nothing. */
export const wasForwarded = ({ headers }: Request): boolean =>
  [...headers.keys()].some((name) => forwardingHeader.test(name));

/** Headers that tunnels and proxies add, and that no program on this machine needs for a request to it. */
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

/** Whether a request carries the key of this start. Digests are compared: the time it takes says nothing about the key. */
export function createKeyCheck(key: string): (request: Request) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(key);
  return ({ headers }) => {
    const given = headers.get('x-platform-token');
    return given !== null && timingSafeEqual(digest(given), expected);
  };
}
