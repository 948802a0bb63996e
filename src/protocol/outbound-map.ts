/** How the error begins that a script receives for a blocked request. */
export const BLOCKED = 'outbound requests are blocked by platform.dev.yaml';

/** The replacement for a host: a server on this machine, or an empty response with a given status. */
export interface OutboundDouble {
  /** The origin of a server on this machine. */
  to?: string;
  /** The status of an empty response. It is used if `to` is absent. */
  status?: number;
  /** How long to wait before responding. */
  delayMs?: number;
  /** Whether the test double receives the real secrets. By default, they are replaced in each request before it is sent. */
  credentials?: 'real';
}

/** The value of `outbound` in platform.dev.yaml, which determines what happens to a script's requests. */
export interface OutboundMap {
  /** Keyed by host in lower case. The key includes the port unless it is the default port. */
  hosts: Readonly<Record<string, OutboundDouble>>;
  /** What happens to requests to all other hosts. */
  rest: 'pass' | 'refuse';
}

/** Normalizes a host name for comparison: `API.example.` is the same host as `api.example`. */
const plainName = (name: string): string => name.toLowerCase().replace(/(?<!\.)\.+$/, '');

export function doubleOf({ hosts }: OutboundMap, name: string, port: number): OutboundDouble | undefined {
  const host = plainName(name);
  const keys = port === 443 || port === 80 ? [host, `${host}:${port}`] : [`${host}:${port}`];
  const key = keys.find((one) => Object.hasOwn(hosts, one));
  return key === undefined ? undefined : hosts[key];
}

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Returns the URL at the server that replaces a URL's host, if there is one. */
export function urlAtDouble(map: OutboundMap, url: URL): URL | undefined {
  const { to } = doubleOf(map, url.hostname, portOf(url)) ?? {};
  return to === undefined ? undefined : new URL(`${to}${url.pathname}${url.search}${url.hash}`);
}

export function describeDouble({ to, status, delayMs }: OutboundDouble): string {
  const after = delayMs === undefined ? '' : ` after ${delayMs.toLocaleString('en')} ms`;
  return `${to ?? `status ${status}`}${after}`;
}
