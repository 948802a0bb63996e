import type { LookupAddress, LookupOptions } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { createLookUpHost, type LookUpHost } from './look-up-host.js';
import type { WebhookFetch } from '../send/send-request.js';
import { refuseAddress, refuseName, type Targets } from '../send/target-address.js';

/** Which addresses webhook requests can reach, and how host names are resolved. */
export interface WebhookFetchOptions {
  /** The addresses to which requests may be sent. Default: `public`. */
  targets?: Targets;
  /** Resolves a host name. Default: queries the name servers, with a time limit and a cache. */
  resolve?: LookUpHost;
}

/**
 * Must be shorter than receivers' own keep-alive timeout, because a request is lost if the receiver closes the
 * connection while the request is being sent.
 */
const idleMs = 1000;

/**
 * Sends a single request over a reusable connection. Returns every status unchanged and never retries a request. Connects only
 * to addresses that it has checked, and resolves a host name once per connection.
 */
export function createWebhookFetch({
  targets = 'public',
  resolve = createLookUpHost(),
}: WebhookFetchOptions = {}): WebhookFetch {
  const keeping = { keepAlive: true, timeout: idleMs, lookup: lookUpChecked(resolve, targets) };
  const senders = {
    'http:': { request: requestHttp, agent: new HttpAgent(keeping) },
    'https:': { request: requestHttps, agent: new HttpsAgent(keeping) },
  };

  return (url, { method, headers, body, signal }) =>
    new Promise((settle, reject) => {
      const target = new URL(url);
      checkHost(target.hostname, targets);
      const { request, agent } = senders[target.protocol as keyof typeof senders];
      const sent = request(target, { method, headers, agent, signal });
      sent.on('error', reject);
      sent.on('response', (response: IncomingMessage) => {
        const { statusCode: status = 0 } = response;
        if (status >= 200) settle({ status, body: response, headers: headersOf(response) });
        else sent.destroy(new Error(`the status ${status} is not a final response`));
      });
      sent.end(body);
    });
}

const headersOf = ({ headers }: IncomingMessage): { get(name: string): string | null } => ({
  get: (name) => String(headers[name] ?? '') || null,
});

class RefusedTarget extends Error {
  code = 'ERR_REFUSED_TARGET';
}

const refusal = (target: string, reason: string): RefusedTarget =>
  new RefusedTarget(`${target} ${reason}. Webhooks cannot be sent there.`);

/** If the URL contains an IP address, Node does not resolve it, so the address is checked here. */
function checkHost(hostname: string, targets: Targets): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const reason = isIP(host) ? refuseAddress(host, targets) : refuseName(host);
  if (reason !== undefined) throw refusal(host, reason);
}

/** Rejects a host name if any of its addresses is blocked, because the next lookup might return that address. */
const lookUpChecked =
  (resolve: LookUpHost, targets: Targets) =>
  (
    hostname: string,
    options: LookupOptions,
    callback: (
      error: NodeJS.ErrnoException | null,
      address: string | LookupAddress[],
      family?: number,
    ) => void,
  ): void =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      for (const { address } of addresses) {
        const reason = refuseAddress(address, targets);
        if (reason !== undefined) return callback(refusal(`${address} (${hostname})`, reason), []);
      }
      const [first] = addresses;
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
