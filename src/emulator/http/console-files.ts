import { randomBytes } from 'node:crypto';
import { extname, join } from 'node:path';
import type { Integration } from '../../protocol/integration.js';
import { readIfThere, respondWithBuiltFile } from './built-file.js';
import { imageTypes } from './content-types.js';
import { readInside } from './read-inside.js';

export interface ConsoleFilesOptions {
  /** The folder that contains the built console: `index.html`, its scripts and `app.css`. */
  folder: string;
  /** The author's current folder and manifest, for finding images. */
  project: () => { folder: string; integration: Integration };
}

/** `chunk.js` contains the code shared by the other scripts. `later.js` is loaded after the first view. */
const scripts = ['app.js', 'chunk.js', 'later.js'];
const builtFiles = [...scripts, 'app.css'];

/** Serves the pages and images under `/console/`. Returns undefined if the URL is unknown. */
export function createConsoleFiles(
  options: ConsoleFilesOptions,
): (request: Request) => Promise<Response | undefined> {
  const { folder, project } = options;
  // Another program may have served files under the same URLs, and the browser may have cached them.
  const start = `~${randomBytes(8).toString('hex')}`;
  return async (request) => {
    const { pathname, origin, hostname } = new URL(request.url);
    const [first = '', ...rest] = pathname
      .replace(/^[/](console[/]?)?/, '')
      .split('/')
      .map(decode);
    const file = first === start ? (rest[0] ?? '') : first;
    if (builtFiles.includes(file)) return respondWithBuiltFile(request, join(folder, file));
    if (first === 'assets') return image(project(), rest, hostname);
    return page(join(folder, 'index.html'), `${origin}/console`, start);
  };
}

async function page(file: string, base: string, start: string): Promise<Response | undefined> {
  const html = await readIfThere(file);
  if (!html) return undefined;
  return new Response(html.toString().replaceAll('"/console/', `"/console/${start}/`), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(base, start),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/**
 * Lists individual files instead of `'self'`, so that project images and API responses can never be used as scripts or style
 * sheets.
 */
const contentSecurityPolicy = (base: string, start: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.map((file) => `${base}/${start}/${file}`).join(' ')}`,
    `style-src ${base}/${start}/app.css`,
    "img-src 'self' data: http: https:",
    `connect-src ${base}/api/`,
    'frame-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Serves `icon`, `previews/<index>` and `blocks/<id>`. */
async function image(
  { folder, integration }: { folder: string; integration: Integration },
  [kind, name = '']: string[],
  hostname: string,
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
      // An image that is opened directly is a page on this origin, so scripts in SVG files are disabled.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      // Pages on the public port can show the image. They are on the same site only if the address is the same, and no one else
      // knows any other address.
      'Cross-Origin-Resource-Policy': hostname === '127.0.0.1' ? 'same-site' : 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
