import { posix, resolve } from 'node:path';
import type { Content, PageEntry, Revision } from '../content/index.js';
import type { PageProblem, parsePage as Parse } from '../content/page/index.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';

interface CheckedPage {
  problems: readonly PageProblem[];
  links: readonly { url: string; line: number; column: number }[];
}

/**
 * Applies at the start. A larger folder would keep a core busy for seconds; its other pages are checked
 * when they change.
 */
const mostAtStart = 2000;

/** Reports unreadable tags and broken links in the pages, each once until it is fixed. */
export async function checkPages(
  content: Content,
  signal: AbortSignal,
  report: (found: Diagnostic[]) => void,
): Promise<void> {
  const { parsePage } = await import('../content/page/index.js');
  const checked = new Map<string, CheckedPage>();
  let reported = new Set<string>();

  const check = async (pages: readonly PageEntry[]): Promise<void> => {
    for (const { id, file } of pages) {
      if (signal.aborted) return;
      const page = content.page(id);
      if (page) checked.set(page.file, readPage(page.text, parsePage));
      else if (file !== undefined) checked.delete(file);
      await new Promise((done) => setImmediate(done));
    }
    const entries = flatten(content.pages());
    const known = new Set([
      ...entries.flatMap(({ path, file }) => (file === undefined ? [path] : [path, file])),
      ...content.files().map(({ path }) => path),
    ]);
    const current = new Map<string, Diagnostic>();
    for (const file of checked.keys()) if (!known.has(file)) checked.delete(file);
    for (const [file, { problems, links }] of checked) {
      const broken = links.flatMap((link) => brokenLink(file, link, known));
      for (const { code, message, line, column } of [...problems, ...broken]) {
        const start = { line, column };
        const found: Diagnostic = {
          code: `content/${code}`,
          severity: 'warning',
          message,
          file: resolve(content.folder, file),
          range: { start, end: { line, column: column + 1 } },
        };
        current.set(`${file}\0${code}\0${message}`, found);
      }
    }
    const fresh = [...current].flatMap(([key, found]) => (reported.has(key) ? [] : [found]));
    reported = new Set(current.keys());
    if (fresh.length > 0 && !signal.aborted) report(fresh);
  };

  await content.ready;
  let checking = check(flatten(content.pages()).slice(0, mostAtStart));
  const changed = ({ changes }: Revision): readonly PageEntry[] =>
    changes.flatMap((change) => ('page' in change ? [change.page] : []));
  const end = content.subscribe((revision) => {
    checking = checking.then(() => check(changed(revision)));
  });
  signal.addEventListener('abort', end, { once: true });
  await checking;
}

const flatten = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [page, ...flatten(page.pages)]);

function readPage(text: string, parsePage: typeof Parse): CheckedPage {
  const { blocks, problems } = parsePage(text);
  const links = [...new Set(relativeUrls(blocks))].map((url) => ({ url, ...positionOf(text, url) }));
  return { problems, links };
}

/** Returns the URLs of links and images that lead to files. */
function relativeUrls(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(relativeUrls);
  if (typeof node !== 'object' || node === null || ('kind' in node && node.kind === 'tag')) return [];
  const below = Object.values(node).flatMap(relativeUrls);
  const url = 'url' in node ? node.url : undefined;
  return typeof url === 'string' && /^(?![a-z][a-z0-9+.-]*:|[/#?]|$)/i.test(url) ? [url, ...below] : below;
}

/** The tree has no link positions, and the parser has encoded the URLs. */
function positionOf(text: string, url: string): { line: number; column: number } {
  const at = [url, decode(url)]
    .flatMap((written) => ['(', '(<', '"', "'", ']: '].map((before) => [before, written] as const))
    .map(([before, written]) => [text.indexOf(before + written), before.length] as const)
    .find(([found]) => found >= 0);
  const before = text.slice(0, at ? at[0] + at[1] : 0).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function brokenLink(
  file: string,
  { url, line, column }: CheckedPage['links'][number],
  known: ReadonlySet<string>,
): { code: string; message: string; line: number; column: number }[] {
  const written = decode(url.replace(/[?#].*$/, ''));
  const path = posix.join(posix.dirname(file), written).replace(/^\.\/|^\.$|\/$/g, '');
  if (known.has(path) || known.has(`${path}.md`)) return [];
  const message = `This link points to ${written}, which is not a page or file in the folder.`;
  return [{ code: 'broken-link', message, line, column }];
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
