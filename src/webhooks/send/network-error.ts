import { errorCauses, innermostMessage } from '../../base/text/error-causes.js';
import type { NetworkErrorKind } from '../model/delivery.js';

const kinds: readonly [pattern: RegExp, kind: NetworkErrorKind][] = [
  [/^ERR_REFUSED_TARGET$/, 'target'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(ENOTFOUND|EAI_.*)$/, 'dns'],
  [/^(ERR_TLS_.*|ERR_SSL_.*|EPROTO|CERT_.*|.*_CERT(_.*)?|.*CERTIFICATE.*|.*_SIGNATURE)$/, 'tls'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
];

/** `fetch` reports only that the request failed. Runtimes put the reason in a nested cause. */
export function explainNetworkError(error: unknown): { error: NetworkErrorKind; message: string } {
  const codes = [...errorCauses(error)].flatMap((cause) => ('code' in cause ? [String(cause.code)] : []));
  const kind = codes.flatMap((code) =>
    kinds.flatMap(([pattern, kind]) => (pattern.test(code) ? [kind] : [])),
  )[0];
  const message = innermostMessage(error) ?? String(error);
  return { error: kind ?? 'network', message };
}
