import { decodePath } from '../../base/text/decode-path.js';
import { posix } from 'node:path';
import type { Emulator } from '../../emulator/index.js';
import type { Session } from '../session.js';
import { checkPages, pagesOf, type CheckedPages, type OpenedPages } from './check-pages.js';
import { claimOutput } from './output-folder.js';

/** Files of the site itself. Their names differ from those of most files in a documentation folder. */
const siteFiles = new Map([
  ['/~/app.css', 'platform-site.css'],
  ['/~/app.js', 'platform-site.js'],
]);

/**
 * Checks the pages and writes them to a folder, which messages call `named`. `base` is the path that the folder is served at, if
 * it is known.
 */
export async function buildPages(
  pages: OpenedPages,
  { folder, named, base }: { folder: string; named: string; base: string | undefined },
): Promise<CheckedPages & { written: number }> {
  const { session, signal } = pages;
  if (!session) return { ...(await checkPages(pages)), written: 0 };
  const output = claimOutput(folder, named);
  const addresses = [session.origin, session.consoleOrigin];
  const rendered = createRenderOnce(session, addresses);
  const checked = await checkPages(pages, rendered.render, addresses);
  const site = session.openStaticSite(rendered.show);
  try {
    const read = (path: string): Promise<Response> => site.fetch(new Request(`${session.siteOrigin}${path}`));
    const files = new Map<string, string>();
    for (const { space, pages: entries } of await pagesOf(session))
      for (const { path } of entries) {
        const { pathname } = new URL(session.emulator.readers.urlOf(space, path));
        files.set(pathname, posix.join(decodePath(pathname).slice(1), 'index.html'));
      }
    const assets = new Map(siteFiles);
    const link = createLinks({ origin: session.siteOrigin, files, assets, base });
    output.plan(files.values());
    for (const [pathname, file] of files) {
      output.write(file, link(await (await read(pathname)).text(), pathname, file));
      signal.throwIfAborted();
    }
    if (base !== undefined) {
      output.plan(['404.html']);
      output.write('404.html', link(await (await read('/~not-found')).text(), '/', '404.html'));
    }
    for (const [pathname, file] of assets) {
      const response = await read(pathname);
      if (!response.ok) continue;
      output.plan([file]);
      output.write(file, new Uint8Array(await response.arrayBuffer()));
    }
    output.finish();
    return { ...checked, written: files.size };
  } finally {
    site.close();
  }
}

/** Renders each block once. In the files, a block that contains an address of the platform looks like one that fails. */
function createRenderOnce(
  { emulator }: Session,
  addresses: readonly string[],
): Record<'render' | 'show', Emulator['render']> {
  const results = new Map<string, ReturnType<Emulator['render']>>();
  const render: Emulator['render'] = (request) => {
    const key = JSON.stringify(request);
    const result = results.get(key) ?? emulator.render(request);
    results.set(key, result);
    return result;
  };
  return {
    render,
    async show(request) {
      const result = await render(request);
      const text = JSON.stringify(result);
      return addresses.some((address) => text.includes(address))
        ? { type: 'error', status: 500, message: '' }
        : result;
    },
  };
}

interface Links {
  /** The origin of the site while it is built. */
  origin: string;
  /** The file of each page, keyed by its path on the site. */
  files: ReadonlyMap<string, string>;
  /** The other files that pages use. Files are added as they are found. */
  assets: Map<string, string>;
  base: string | undefined;
}

/** Returns a function that replaces the site's own addresses in a page, and allows the styles that the site's policy blocks. */
function createLinks({ origin, files, assets, base }: Links) {
  // Some file systems ignore the case.
  const taken = new Set(
    ['404.html', ...files.values(), ...assets.values()].map((file) => file.toLowerCase()),
  );
  /** Returns the file's own path, or one beside it if a page or the site itself has the same. */
  const freePath = (path: string): string => {
    if (taken.has(path.toLowerCase()))
      return freePath(posix.join(posix.dirname(path), `file-${posix.basename(path)}`));
    taken.add(path.toLowerCase());
    return path;
  };
  const targetOf = (pathname: string): string => {
    const page = files.get(pathname) ?? files.get(pathname.replace(/(?<=.)\/$/, ''));
    if (page !== undefined) return base === undefined ? page : page.replace(/index\.html$/, '');
    const asset = assets.get(pathname) ?? freePath(decodePath(pathname).slice(1));
    assets.set(pathname, asset);
    return asset;
  };
  return (html: string, pathname: string, file: string): string => {
    const replace = (written: string): string => {
      const url = URL.canParse(written, `${origin}${pathname}`)
        ? new URL(written, `${origin}${pathname}`)
        : undefined;
      if (url?.origin !== origin || written.startsWith('#')) return written;
      const target = targetOf(url.pathname);
      const path = base === undefined ? posix.relative(posix.dirname(file), target) : `${base}${target}`;
      return `${path.split('/').map(encodeURIComponent).join('/')}${url.hash}`;
    };
    return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
      tag
        .replaceAll(
          / (href|src|data-image)="([^"]*)"/g,
          (_, name: string, value: string) =>
            ` ${name}="${replace(value.replaceAll('&amp;', '&')).replaceAll('&', '&amp;')}"`,
        )
        .replaceAll(' data-style="', ' style="'),
    );
  };
}
