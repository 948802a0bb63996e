import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTemporary } from '../../base/node/remove-temporary.js';
import type { VirtualClock } from '../../base/clock.js';
import { isInside } from '../../base/node/is-inside.js';
import type { Content, MovedPages } from '../../content/index.js';
import type { TestPlatformOptions } from '../test-platform.js';

/** The pages of the first space, in a folder that belongs to the test. */
export type TestPages = Awaited<ReturnType<typeof openTestPages>>;

type ContentOption = NonNullable<TestPlatformOptions['content']>;

/** Copies the folder or writes the files, so tests cannot change their project. */
export async function openTestPages(given: ContentOption, clock: VirtualClock) {
  const [{ openContent }, { parsePage, blocksOnPage, linesOf }] = await Promise.all([
    import('../../content/index.js'),
    import('../../content/page/index.js'),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'platform-test-pages-'));
  /** Creates the file of a page. */
  const create = (path: string, text: string): void => {
    const file = resolve(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (!isInside(dirname(file), resolve(folder)))
      throw new Error(`${path} is outside the folder of the pages.`);
    writeFileSync(file, text);
  };
  try {
    if (typeof given === 'string' || given instanceof URL)
      cpSync(given instanceof URL ? fileURLToPath(given) : given, folder, { recursive: true });
    else for (const [path, text] of Object.entries(given)) create(path, text);
  } catch (error) {
    removeTemporary(folder);
    throw error;
  }
  let content: Content | undefined;
  return {
    mount: (spaceId: string, ids: MovedPages) =>
      (content = openContent({ folder, spaceId, clock, timers: clock, ids })),
    parsePage,
    blocksOnPage,
    linesOf,
    create,
    /** Removes the folder. */
    close() {
      content?.close();
      removeTemporary(folder);
    },
  };
}
