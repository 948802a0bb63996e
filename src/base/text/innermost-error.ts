/** Yields an error and its causes, outermost first. If an error has several causes, follows only the first one. */
export function* errorCauses(error: unknown): Iterable<Error> {
  for (let at = error; at instanceof Error; at = at.cause) {
    yield at;
    if (at instanceof AggregateError) yield* errorCauses(at.errors[0]);
  }
}

/**
 * Returns the message of the innermost cause, which is the most specific. Outer errors often say only that something
 * failed.
 */
export const innermostMessage = (error: unknown): string | undefined => {
  const message = [...errorCauses(error)].map((cause) => cause.message).findLast((text) => text !== '');
  return message && plainTlsError(message);
};

/** Returns the code of the innermost cause that has one, such as `ECONNREFUSED`. */
export const innermostCode = (error: unknown): string | undefined =>
  [...errorCauses(error)]
    .map((cause) => (cause as { code?: unknown }).code)
    .findLast((code) => typeof code === 'string');

const opensslError = /^(?:write EPROTO )?[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):[^]*$/;

/** Removes the addresses and source file names that OpenSSL adds to its error messages. */
export function plainTlsError(message: string): string {
  const [, reason] = opensslError.exec(message) ?? [];
  if (reason === undefined) return message;
  const isPlain = /wrong version number|packet length too long|http request/.test(reason);
  return isPlain ? `The port does not use TLS (${reason}). Is it an http:// URL?` : `TLS failed: ${reason}`;
}
