import { resolve } from 'node:path';
import type { Content, PageEntry } from '../../content/index.js';
import type { ReadPage } from '../../content/page/index.js';
import { describeProblem } from '../describe-problem.js';
import type { Diagnostic, Source } from '../../diagnostics/model/diagnostic.js';
import { blockRequest, type ReaderSpace } from '../../emulator/spaces/readers.js';
import type { Emulator } from '../../emulator/index.js';
import { BLOCKED } from '../../protocol/outbound-map.js';
import type { Session } from '../session.js';

/** The pages of a project on a platform of their own. */
export interface OpenedPages {
  /** Undefined if the project is broken. */
  session: Session | undefined;
  /** Why the project is broken. */
  broken: readonly Diagnostic[];
  sources: ReadonlyMap<string, Source>;
  signal: AbortSignal;
}

export interface CheckedPages {
  /** The files of all pages. */
  files: string[];
  sources: ReadonlyMap<string, Source>;
  diagnostics: Diagnostic[];
}

export interface SpacePages {
  space: ReaderSpace;
  content: Content;
  pages: PageEntry[];
}

/** Returns the pages of each space, hidden ones included. */
export async function pagesOf({ emulator }: Pick<Session, 'emulator'>): Promise<SpacePages[]> {
  const spaces: SpacePages[] = [];
  for (const space of emulator.readers.spaces()) {
    const content = emulator.content(space.id);
    await content?.ready;
    if (content) spaces.push({ space, content, pages: flatten(content.pages()) });
  }
  return spaces;
}

const flatten = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [...(page.file === undefined ? [] : [page]), ...flatten(page.pages)]);

/** Checks every page and renders every block. `addresses` must not occur in the blocks. */
export async function checkPages(
  { session, broken, sources: projectSources, signal }: OpenedPages,
  render: Emulator['render'] | undefined = session?.emulator.render,
  addresses: readonly string[] = [],
): Promise<CheckedPages> {
  const sources = new Map(projectSources);
  const diagnostics = [...broken];
  const files: string[] = broken.map(({ file }) => file);
  if (!session || !render) return { files, sources, diagnostics };
  const { blocksOnPage, findPageProblems, includeFiles, knownPaths, parsePage, readPageToCheck } =
    await import('../../content/page/index.js');
  const integration = session.integration();
  const reported = new Set<string>();
  const spaces = await pagesOf(session);
  const root = new Map(
    spaces.flatMap(({ space, content }) =>
      [...knownPaths(content).keys()].map(
        (path) => [`${space.path}${path}`.replace(/^\/|\/$/g, ''), undefined] as const,
      ),
    ),
  );
  for (const { space, content, pages } of spaces) {
    const describe = (problem: Parameters<typeof describeProblem>[1]): Diagnostic =>
      describeProblem(content.folder, problem);
    diagnostics.push(...content.warnings().map(describe));
    const read = new Map<string, ReadPage>();
    for (const { id } of pages) {
      const page = content.page(id);
      if (!page) continue;
      const { file, text } = page;
      files.push(resolve(content.folder, file));
      sources.set(resolve(content.folder, file), { text });
      const tree = parsePage(text);
      const whole = includeFiles(tree, file, (path) => content.textOf(path));
      read.set(file, readPageToCheck(text, tree, whole));
      const blocks = space.target ? blocksOnPage(whole, [integration]) : [];
      const results = await Promise.all(blocks.map((block) => render(blockRequest(space, block))));
      for (const [nth, result] of results.entries()) {
        const { component, node, file: included } = blocks[nth]!;
        const place = { file: included ?? file, line: node.line ?? 1 };
        // Several pages can include the same file.
        const key = `${space.id} ${place.file} ${place.line} ${component}`;
        if (reported.has(key)) continue;
        reported.add(key);
        if (included !== undefined)
          sources.set(resolve(content.folder, included), { text: content.textOf(included) ?? '' });
        const address = addresses.find((one) => JSON.stringify(result).includes(one));
        if (result.type === 'error')
          diagnostics.push({
            ...describe({ ...describeFailure(component, result), ...place }),
            severity: 'error',
          });
        else if (address !== undefined)
          diagnostics.push(
            describe({
              code: 'platform-address',
              message: `The block ${component} contains ${address}, which exists only while the platform runs. It is left out.`,
              ...place,
            }),
          );
      }
      await new Promise((done) => setImmediate(done));
      signal.throwIfAborted();
    }
    const known = {
      paths: knownPaths(content),
      root,
      integrations: [integration],
      read: (file: string) => read.get(file),
    };
    for (const [file, page] of read)
      diagnostics.push(
        ...findPageProblems(file, page, known).map((problem) => describe({ file, ...problem })),
      );
  }
  return { files, sources, diagnostics };
}

type Failed = Extract<Awaited<ReturnType<Emulator['render']>>, { type: 'error' }>;

function describeFailure(component: string, { message, failure }: Failed) {
  const reason = (failure?.message ?? message).replace(BLOCKED, 'outbound requests are refused');
  const { file, line } = failure ?? {};
  const at = file === undefined ? '' : ` at ${file}:${line}`;
  return {
    code: 'failed-block' as const,
    message: `The block ${component} fails to render${at}: ${reason}`,
    ...(reason.includes('outbound requests are refused') && {
      help: 'To allow outbound requests, add --outbound.',
    }),
  };
}
