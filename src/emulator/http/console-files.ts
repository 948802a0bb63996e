import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Integration } from '../../protocol/integration.js';
import { imageTypes } from './content-types.js';
import { readInside } from './read-inside.js';

export interface ConsoleFilesOptions {
  /** The folder of the built console: `index.html`, `app.js`, `app.css`. */
  folder: string;
  /** The author's folder and manifest in their current state, for images. */
  project: () => { folder: string; integration: Integration };
}

/** Serves the pages and images under `/console/`; undefined if there is nothing at the address. */
export function createConsoleFiles(
  options: ConsoleFilesOptions,
): (request: Request) => Promise<Response | undefined> {
  const { folder, project } = options;
  return async (request) => {
    const { pathname, origin } = new URL(request.url);
    const [first = '', ...rest] = pathname
      .replace(/^[/](console[/]?)?/, '')
      .split('/')
      .map(decode);
    if (first === 'app.js' || first === 'app.css') return script(request, join(folder, first));
    if (first === 'assets') return image(project(), rest);
    return page(join(folder, 'index.html'), origin);
  };
}

async function page(file: string, origin: string): Promise<Response | undefined> {
  const html = await readIfThere(file);
  if (!html) return undefined;
  return new Response(new Uint8Array(html), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(origin),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/**
 * Stricter than `'self'`: images of the project and responses of the API can never be used as a script or a
 * style sheet.
 */
const contentSecurityPolicy = (origin: string): string =>
  [
    "default-src 'none'",
    `script-src ${origin}/console/app.js`,
    `style-src ${origin}/console/app.css`,
    "img-src 'self' data: http: https:",
    `connect-src ${origin}/console/api/`,
    'frame-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The build also writes each file compressed; the smallest encoding comes first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

async function script(request: Request, file: string): Promise<Response | undefined> {
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

/** True for `br` in `gzip, br;q=0.5`, not in `br;q=0`. */
const accepts = (header: string, encoding: string): boolean =>
  header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, weight = '']) => name === encoding && !/^q=0(\.0*)?$/.test(weight));

/** Serves `icon`, `previews/<index>` and `blocks/<id>`. */
async function image(
  { folder, integration }: { folder: string; integration: Integration },
  [kind, name = '']: string[],
): Promise<Response | undefined> {
  const path =
    kind === 'icon'
      ? integration.icon
      : kind === 'previews'
        ? integration.previewImages[Number(name)]
        : integration.blocks.find(({ id }) => id === name)?.icon;
  const type = path === undefined ? undefined : imageTypes[extname(path).toLowerCase()];
  if (path === undefined || type === undefined) return undefined;
  const bytes = await readInside(folder, path);
  if (!bytes) return undefined;
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'no-cache',
      // An image that is opened directly is a page of this origin, so scripts in an SVG are disabled.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      // Pages of the public port may show it; pages of other sites may not.
      'Cross-Origin-Resource-Policy': 'same-site',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
