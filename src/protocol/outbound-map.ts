/** What responds instead of a host: a server on this machine, or a status. */
export interface OutboundDouble {
  /** The origin of a server on this machine. */
  to?: string;
  /** Without `to`: the status of an empty response. */
  status?: number;
  /** The delay before the response. */
  delayMs?: number;
  /** By default, secrets are replaced before the double receives a request. */
  credentials?: 'real';
}

/** `outbound` in platform.dev.yaml: what happens to the requests that a script makes. */
export interface OutboundMap {
  /** Keyed by lower-case host, with a port unless it is the default one. */
  hosts: Readonly<Record<string, OutboundDouble>>;
  /** What happens to requests to other hosts. */
  rest: 'pass' | 'refuse';
}

/** Normalizes a host name for comparison: `API.example.` is the same host as `api.example`. */
const plainName = (name: string): string => name.toLowerCase().replace(/\.+$/, '');

/** Returns the map's entry for a host and port. */
export function doubleOf({ hosts }: OutboundMap, name: string, port: number): OutboundDouble | undefined {
  const host = plainName(name);
  const keys = port === 443 || port === 80 ? [host, `${host}:${port}`] : [`${host}:${port}`];
  const key = keys.find((one) => Object.hasOwn(hosts, one));
  return key === undefined ? undefined : hosts[key];
}

/** Describes the double for people: its URL, or the status that is returned. */
export function describeDouble({ to, status, delayMs }: OutboundDouble): string {
  const after = delayMs === undefined ? '' : ` after ${delayMs.toLocaleString('en')} ms`;
  return `${to ?? `status ${status}`}${after}`;
}
