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
  return async (request) => {
    const { pathname, origin } = new URL(request.url);
    const [first = '', ...rest] = pathname
      .replace(/^[/](console[/]?)?/, '')
      .split('/')
      .map(decode);
    if (builtFiles.includes(first)) return respondWithBuiltFile(request, join(folder, first));
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
 * Lists individual files instead of `'self'`, so that project images and API responses can never be used as scripts or style
 * sheets.
 */
const contentSecurityPolicy = (origin: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.map((file) => `${origin}/console/${file}`).join(' ')}`,
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
      // An image that is opened directly is a page on this origin, so scripts in SVG files are disabled.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      // Pages on the public port can show the image, but pages on other sites cannot.
      'Cross-Origin-Resource-Policy': 'same-site',
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
