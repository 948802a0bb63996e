import type { PlatformBase } from '../state/platform-base.js';
import { extname } from 'node:path';
import { fileTypes } from '../http/content-types.js';
import { readInside } from '../http/read-inside.js';
import { errorResponse } from '../http/http-error.js';
import { assetsOf } from '../state/script-environments.js';

/** Serves the files in the project's `public/` folder under `/assets/integrations/:name/…`. */
export function createAssets(
  deps: Pick<PlatformBase, 'registry' | 'addresses'>,
): (request: Request) => Promise<Response> {
  const { registry, addresses } = deps;
  return async (request) => {
    const { name } = registry.integration();
    const [, base = '', rest = ''] =
      /^([/]assets[/]integrations[/][^/]+)(.*)$/.exec(new URL(request.url).pathname) ?? [];
    const folder = assetsOf(addresses, name).assets && addresses.publicFolder;
    if (!folder || !base.endsWith(`/${name}`)) return missing();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { Allow: 'GET, HEAD' } });
    }
    const path = fileOf(rest);
    const bytes = path && (await readInside(folder, path, isServed));
    if (!path || !bytes) return missing();
    return new Response(new Uint8Array(bytes), {
      headers: {
        'Content-Type': fileTypes[extname(path).toLowerCase()] ?? 'application/octet-stream',
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
      },
    });
  };
}

/** Hidden files are not served. `functions/` contains code for another host, so it is neither run nor served. */
const isServed = (path: string): boolean => !/(?:^|\/)\.|^functions\//i.test(path);

function fileOf(rest: string): string | undefined {
  try {
    const path = decodeURIComponent(rest)
      .replace(/^[/]/, '')
      .replace(/(^|[/])$/, '$1index.html');
    return /[\0\\]|\/\/|^\//.test(path) || !isServed(path) ? undefined : path;
  } catch {
    return undefined;
  }
}

const missing = (): Response => errorResponse(404, 'File not found in public/.');
