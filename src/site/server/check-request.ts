import { createHash } from 'node:crypto';
import { createHostCheck, createKeyCheck, wasForwarded } from '../../emulator/http/check-host-and-origin.js';
import { HttpError } from '../../emulator/http/http-error.js';

export interface RequestCheck {
  /** Throws if the request is not meant for this site, or if a page from another origin sent it. */
  check(request: Request): void;
  /** Throws unless one of the site's own pages sent the request with the session's key. */
  checkAction(request: Request): void;
  /** Whether a person or a program is opening the page, rather than a prefetch or a page's script. */
  mayRender(headers: Headers): boolean;
}

export function createRequestCheck(origin: string, key: string): RequestCheck {
  const host = createHostCheck(origin);
  const holdsKey = createKeyCheck(key);
  return {
    check(request) {
      const { url, method, headers } = request;
      if (host.host(url) !== 'local' || wasForwarded(request))
        throw new HttpError(403, 'wrong-host', 'The site is not served on this host or address.');
      if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
        throw new HttpError(405, 'method', `The site does not support ${method} requests.`);
      if (host.hasForeignOrigin(request) || (isForeign(headers) && !isTopLevel(headers)))
        throw new HttpError(403, 'foreign-page', 'Pages from other origins cannot read the site.');
    },
    checkAction(request) {
      if (request.headers.get('origin') !== origin)
        throw new HttpError(403, 'foreign-page', 'Only pages on this site can do this.');
      if (!holdsKey(request))
        throw new HttpError(
          401,
          'no-key',
          'This requires the site key of the current session. Open the site with: platform open site',
        );
    },
    mayRender: (headers) =>
      !headers.has('sec-purpose') &&
      (headers.get('sec-fetch-mode') === 'navigate' || !headers.has('sec-fetch-site')),
  };
}

/** `same-site` counts as foreign, because it ignores the port. */
function isForeign(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

const isTopLevel = (headers: Headers): boolean =>
  headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';

export const pageHeaders = (origin: string): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${origin}/~/app.js`,
    `style-src ${origin}/~/app.css`,
    "img-src 'self' data: http: https:",
    `connect-src ${origin}/~/`,
    'frame-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);
