const raw = new WeakMap<Request, readonly string[]>();

/** As Node has them, name by value: faster than all that a `Headers` does to give them back. */
export const rememberHeaders = (request: Request, rawHeaders: readonly string[]): void =>
  void raw.set(request, rawHeaders);

/** By name, in lower case. */
export function headersOf(request: Request): Record<string, string> {
  const known = raw.get(request);
  if (!known) return Object.fromEntries(request.headers);
  const headers = new Map<string, string>();
  for (let i = 0; i < known.length; i += 2) {
    const name = (known[i] ?? '').toLowerCase();
    const before = headers.get(name);
    const value = known[i + 1] ?? '';
    headers.set(name, before === undefined ? value : before + (name === 'cookie' ? '; ' : ', ') + value);
  }
  return Object.fromEntries(headers);
}
