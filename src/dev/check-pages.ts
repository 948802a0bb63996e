import type { Content, PageEntry, Revision } from '../content/index.js';
import type { KnownNames, ReadPage } from '../content/page/index.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import { describeProblem } from './describe-problem.js';

/**
 * The maximum number of pages to check at startup. Checking more would keep a core busy for seconds, so the other
 * pages are checked when they change.
 */
const mostAtStart = 2000;

interface CheckOptions {
  signal: AbortSignal;
  report(found: Diagnostic[]): void;
  /** The integrations that declare the blocks. */
  integrations: KnownNames['integrations'];
  /** Calls the listener when a manifest has changed. Returns a function that removes the listener. */
  onReload(listener: (integrations: KnownNames['integrations']) => void): () => void;
}

/** Reports unreadable tags, broken links and unknown blocks in the pages. Reports each problem once until it is fixed. */
export async function checkPages(content: Content, options: CheckOptions): Promise<void> {
  const { signal, report, onReload } = options;
  const { findPageProblems, knownPaths, readPageToCheck } = await import('../content/page/index.js');
  const checked = new Map<string, ReadPage>();
  let { integrations } = options;
  let reported = new Set<string>();

  const check = async (pages: readonly PageEntry[]): Promise<void> => {
    for (const { id, file } of pages) {
      if (signal.aborted) return;
      const page = content.page(id);
      if (page) checked.set(page.file, readPageToCheck(page.text));
      else if (file !== undefined) checked.delete(file);
      await new Promise((done) => setImmediate(done));
    }
    const known = { paths: knownPaths(content), integrations, read: (file: string) => checked.get(file) };
    const current = new Map<string, Diagnostic>();
    for (const file of checked.keys()) if (!known.paths.has(file)) checked.delete(file);
    for (const [file, page] of checked)
      for (const problem of findPageProblems(file, page, known))
        current.set(
          `${file}\0${problem.code}\0${problem.message}`,
          describeProblem(content.folder, { file, ...problem }),
        );
    const fresh = [...current].flatMap(([key, found]) => (reported.has(key) ? [] : [found]));
    reported = new Set(current.keys());
    if (fresh.length > 0 && !signal.aborted) report(fresh);
  };

  await content.ready;
  let checking = check(flatten(content.pages()).slice(0, mostAtStart));
  const changed = ({ changes }: Revision): readonly PageEntry[] =>
    changes.flatMap((change) => ('page' in change ? [change.page] : []));
  const ends = [
    content.subscribe((revision) => {
      checking = checking.then(() => check(changed(revision)));
    }),
    onReload((next) => {
      checking = checking.then(() => {
        integrations = next;
        return check([]);
      });
    }),
  ];
  signal.addEventListener('abort', () => ends.forEach((end) => end()), { once: true });
  await checking;
}

const flatten = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [page, ...flatten(page.pages)]);
