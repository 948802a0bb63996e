import type { NetworkErrorKind } from '../queue/delivery.js';

const kinds: readonly [pattern: RegExp, kind: NetworkErrorKind][] = [
  [/^ERR_REFUSED_TARGET$/, 'target'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(ENOTFOUND|EAI_.*)$/, 'dns'],
  [/^(ERR_TLS_.*|ERR_SSL_.*|EPROTO|CERT_.*|.*_CERT(_.*)?|.*CERTIFICATE.*|.*_SIGNATURE)$/, 'tls'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
];

/** An error and what caused it, outermost first. */
function* causes(error: unknown): Iterable<Error> {
  for (let at = error; at instanceof Error; at = at.cause) {
    yield at;
    if (at instanceof AggregateError) yield* causes(at.errors[0]);
  }
}

/** `fetch` says only that it failed; hosts put the reason somewhere below. */
export function explainNetworkError(error: unknown): { error: NetworkErrorKind; message: string } {
  const chain = [...causes(error)];
  const codes = chain.flatMap((cause) => ('code' in cause ? [String(cause.code)] : []));
  const kind = codes.flatMap((code) =>
    kinds.flatMap(([pattern, kind]) => (pattern.test(code) ? [kind] : [])),
  )[0];
  const message = chain.map((cause) => cause.message).findLast((text) => text !== '') ?? String(error);
  return { error: kind ?? 'network', message };
}
