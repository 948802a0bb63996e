const limit = 1024 * 1024;

/** The bytes of a request; undefined if there are more than 1 MiB. */
export async function readBody(request: Request): Promise<Uint8Array | undefined> {
  const body = new Uint8Array(limit);
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return body.slice(0, size);
    if (size + value.length > limit) {
      await reader?.cancel();
      return undefined;
    }
    body.set(value, size);
    size += value.length;
  }
}
