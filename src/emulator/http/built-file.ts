import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The encodings in which the build also writes each file, best compression first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Serves a script or style sheet from this package. Returns undefined if the file has not been built. */
export async function respondWithBuiltFile(request: Request, file: string): Promise<Response | undefined> {
  const accepted = request.headers.get('accept-encoding') ?? '';
  const [encoding, ending] = encodings.find(([name]) => accepts(accepted, name)) ?? [undefined, ''];
  const compressed = encoding && (await readIfThere(file + ending));
  const bytes = compressed ?? (await readIfThere(file));
  if (!bytes) return undefined;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': 'no-cache',
    'Content-Type': file.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
    ...(compressed && { 'Content-Encoding': encoding }),
    Vary: 'Accept-Encoding',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  return request.headers.get('if-none-match') === etag
    ? new Response(null, { status: 304, headers })
    : new Response(new Uint8Array(bytes), { headers });
}

/** True for `br` in `gzip, br;q=0.5`, but false for `br` in `br;q=0`. */
const accepts = (header: string, encoding: string): boolean =>
  header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, weight = '']) => name === encoding && !/^q=0(\.0*)?$/.test(weight));

export async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}
