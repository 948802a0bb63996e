import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTemporary } from '../base/node/remove-temporary.js';
import { renderSamplePages } from '../content/sample-pages.js';
import type { Integration } from '../protocol/integration.js';

/** Temporary folders of sample pages, for spaces that have no folder of their own. */
export function createSampleFolders() {
  let parent: string | undefined;
  const written = new Map<string, Record<string, string>>();
  const write = (folder: string, pages: Record<string, string>): void => {
    const former = written.get(folder);
    for (const [name, text] of Object.entries(pages)) {
      const file = join(folder, name);
      if (text !== former?.[name] && (!former || readText(file) === former[name])) writeFileSync(file, text);
    }
    written.set(folder, pages);
  };
  return {
    /** Creates a folder of sample pages and returns its path. */
    add(integrations: readonly Integration[]) {
      parent ??= mkdtempSync(join(tmpdir(), 'platform-pages-'));
      const folder = join(parent, String(written.size));
      mkdirSync(folder);
      write(folder, renderSamplePages(integrations));
      return folder;
    },
    /** Rewrites the sample pages to show changed blocks, unless the author has edited the pages. */
    revise(integrations: readonly Integration[]) {
      for (const folder of written.keys()) write(folder, renderSamplePages(integrations));
    },
    close() {
      if (parent !== undefined) removeTemporary(parent);
    },
  };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
