import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { platform } from 'node:os';
import { defaultRetryDelaysMs } from '../../protocol/default-retry-delays.js';
import { systemClock, type Clock } from '../../base/clock.js';

/**
 * The signature of Node's `dns.lookup` as connections call it. It contains no Node types, so that authors do not need
 * `@types/node`.
 */
export type LookUpHost = (
  host: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6' | undefined },
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void;

interface Found {
  addresses: LookupAddress[];
  ttlMs: number;
}

export interface LookUpHostOptions {
  clock?: Clock;
  /** Replacements for tests. */
  servers?: readonly string[];
  readFile?: (path: string) => string;
}

const deadlineMs = 5000;
/** How long to wait for one address family once the other is known. */
const otherFamilyMs = 50;
const shortestMs = 1000;
const longestMs = 60_000;
/** Shorter than the first retry delay, so that a retry looks up the name again. */
const failedMs = 0.9 * Math.min(...defaultRetryDelaysMs);
const filesMs = 5000;
const mostNames = 10_000;

/**
 * Resolves host names without the thread pool. Node's `dns.lookup` resolves all names in four threads and cannot be
 * canceled, so a few names whose servers do not respond would block all others. This function queries the name
 * servers directly. It gives up after 5 s, sends only one query at a time per name, and caches each result for as
 * long as the response allows, up to a minute. It also reads the hosts file and the search list.
 */
export function createLookUpHost(options: LookUpHostOptions = {}): LookUpHost {
  const { clock = systemClock, servers, readFile = (path) => readFileSync(path, 'utf8') } = options;
  const known = new Map<string, { until: number; found: Promise<Found> }>();
  let files = { readAt: -Infinity, hosts: new Map<string, LookupAddress[]>(), search: noSearch };

  const readFiles = (): typeof files => {
    if (clock.monotonic() - files.readAt < filesMs) return files;
    const textOf = (path: string): string => {
      try {
        return readFile(path);
      } catch {
        return '';
      }
    };
    files = {
      readAt: clock.monotonic(),
      hosts: parseHosts(textOf(hostsFile)),
      search: parseSearch(textOf('/etc/resolv.conf')),
    };
    return files;
  };

  const ask = async (name: string): Promise<Found> => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const done = new AbortController();
    const late = clock.sleep(deadlineMs, done.signal).then(() => {
      throw dnsError('ETIMEOUT', name, `no response from the DNS servers within ${deadlineMs / 1000} s`);
    });
    try {
      return await Promise.race([askBoth(resolver, name, clock), late]);
    } finally {
      late.catch(() => undefined);
      done.abort();
      resolver.cancel();
    }
  };

  const find = async (host: string): Promise<Found> => {
    const name = host.toLowerCase().replace(/\.$/, '');
    const { hosts, search } = readFiles();
    const listed = hosts.get(name) ?? (isLocalhost(name) ? localhost : undefined);
    if (listed) return { addresses: listed, ttlMs: shortestMs };
    let missing: unknown;
    for (const candidate of host.endsWith('.') ? [name] : candidatesOf(name, search)) {
      try {
        return await ask(candidate);
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing ??= error;
      }
    }
    throw missing;
  };

  const lookUp = (host: string): Promise<Found> => {
    const last = known.get(host);
    if (last && last.until > clock.monotonic()) return last.found;
    const entry = { until: Infinity, found: find(host) };
    const keep = (ms: number): void => void (entry.until = clock.monotonic() + ms);
    entry.found.then(
      ({ ttlMs }) => keep(ttlMs),
      () => keep(failedMs),
    );
    known.delete(host);
    known.set(host, entry);
    const [oldest] = known.keys();
    if (known.size > mostNames && oldest !== undefined) known.delete(oldest);
    return entry.found;
  };

  return (host, { family }, callback) => {
    const version = isIP(host);
    if (version !== 0) return callback(null, [{ address: host, family: version }]);
    lookUp(host).then(
      ({ addresses }) => {
        const wanted = addresses.filter((one) => !family || one.family === Number(family));
        if (wanted.length > 0) callback(null, wanted);
        else callback(dnsError('ENOTFOUND', host, 'it has no address of this type'), []);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Resolves once both address families are known, or shortly after the first one. */
async function askBoth(resolver: Resolver, name: string, clock: Clock): Promise<Found> {
  const records: { address: string; ttl: number; family: number }[] = [];
  const add = async (found: Promise<{ address: string; ttl: number }[]>, family: number): Promise<void> => {
    for (const record of await found) records.push({ ...record, family });
  };
  const kinds = [
    add(resolver.resolve4(name, { ttl: true }), 4),
    add(resolver.resolve6(name, { ttl: true }), 6),
  ];
  const done = new AbortController();
  const first = Promise.any(kinds).then(
    () => clock.sleep(otherFamilyMs, done.signal).catch(() => undefined),
    () => undefined,
  );
  const both = Promise.allSettled(kinds);
  await Promise.race([both, first]);
  done.abort();
  if (records.length === 0) {
    const problems = (await both).flatMap((kind) =>
      kind.status === 'rejected' ? [kind.reason as unknown] : [],
    );
    // A server that failed may still have the address, but a server that responded that there is no address does not.
    const reason = problems.find((problem) => !isMissing(problem)) ?? problems[0];
    throw dnsError(String((reason as NodeJS.ErrnoException).code), name);
  }
  const ttlMs = Math.min(...records.map(({ ttl }) => ttl)) * 1000;
  return {
    addresses: records
      .toSorted((a, b) => a.family - b.family)
      .map(({ address, family }) => ({ address, family })),
    ttlMs: Math.min(longestMs, Math.max(shortestMs, ttlMs)),
  };
}

const isMissing = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA'].includes(String((error as { code?: unknown }).code));

/** Creates an error whose code is reported as a DNS problem. */
function dnsError(code: string, name: string, why?: string): NodeJS.ErrnoException {
  const reported = isMissing({ code }) ? 'ENOTFOUND' : 'EAI_AGAIN';
  const reason = why ?? (isMissing({ code }) ? 'the name does not exist' : `the DNS lookup failed (${code})`);
  return Object.assign(new Error(`The host name ${name} cannot be resolved: ${reason}.`), { code: reported });
}

const hostsFile = platform() === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

const localhost: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address.replace(/%.*$/, ''));
    if (family === 0) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}

interface Search {
  domains: readonly string[];
  /** A name with at least this many dots is first looked up as is. */
  dots: number;
}

const noSearch: Search = { domains: [], dots: 1 };

function parseSearch(text: string): Search {
  let { domains, dots } = noSearch;
  for (const line of text.split('\n')) {
    const [key, ...values] = line.trim().split(/\s+/);
    if (key === 'search' || key === 'domain') domains = values;
    const ndots = values.find((value) => value.startsWith('ndots:'));
    if (key === 'options' && ndots) dots = Number(ndots.slice('ndots:'.length)) || 0;
  }
  return { domains, dots };
}

function candidatesOf(name: string, { domains, dots }: Search): string[] {
  const searched = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
  return name.split('.').length - 1 >= dots ? [name, ...searched] : [...searched, name];
}
