import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { removeTemporary } from '../../../base/node/remove-temporary.js';
import type { Diagnostic, Source } from '../../../diagnostics/index.js';
import { startSession, type Session, type SessionEvent } from '../../../dev/index.js';
import { pagesOf, type OpenedPages } from '../../../dev/static-site/check-pages.js';
import { devSettingsFileName, findManifest, manifestFileName } from '../../../manifest/index.js';
import { readStats } from '../../../base/node/read-stats.js';
import { UserError } from '../../../base/user-error.js';
import type { CommandContext } from '../../context/command.js';
import type { EnvironmentOptions } from '../../session/environment-options.js';
import { sessionOptions } from '../dev/session-options.js';

/** Opens the pages of a project or folder on a platform of their own, which other terminals cannot find. */
export async function openPages(
  context: CommandContext,
  named: string | undefined,
  { outbound, ...chosen }: EnvironmentOptions & { outbound?: boolean },
): Promise<OpenedPages & { close(): Promise<void> }> {
  const folder = resolve(context.cwd, named ?? '.');
  if (!readStats(folder)?.isDirectory())
    throw new UserError(
      'no-such-folder',
      `"${named}" is not a folder.`,
      'Pass a project, or a folder of Markdown files.',
    );
  const manifest = findManifest(folder);
  const temporary = manifest === undefined ? createProject(folder) : undefined;
  const isPages = manifest === undefined || (named !== undefined && dirname(manifest) !== folder);
  const broken: Diagnostic[] = [];
  const sources = new Map<string, Source>();
  const tell = (event: SessionEvent): void => {
    if (event.type === 'broken') {
      broken.push(...event.diagnostics);
      for (const [file, source] of event.sources) sources.set(file, source);
    } else if (event.type === 'broken-script') context.note(event.message);
  };
  const options = await sessionOptions(context, temporary ?? folder, {
    ...chosen,
    port: 0,
    state: 'memory',
    scopes: 'warn',
    oauth: 'ask',
    oauthProvider: 'real',
    ...(isPages && { content: folder }),
  });
  let session: Session | undefined;
  const close = async (): Promise<void> => {
    await session?.close();
    if (temporary !== undefined) removeTemporary(temporary);
  };
  try {
    session = await startSession(
      { ...options, unlisted: true, patient: false, refuseOutbound: !outbound },
      tell,
    );
    await session?.started();
    const spaces = session ? await pagesOf(session) : [];
    if (session && (session.mounted.length === 0 || spaces.every(({ pages }) => pages.length === 0)))
      throw new UserError(
        'no-pages',
        isPages ? `${named ?? 'This folder'} contains no Markdown files.` : 'The project has no pages.',
        `Pass a folder of Markdown files, create the folder docs, or set content in ${devSettingsFileName}.`,
      );
    return { session, broken, sources, signal: options.signal, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates a project without a script, for pages that do not belong to an integration. */
function createProject(folder: string): string {
  const project = mkdtempSync(join(tmpdir(), 'platform-site-'));
  const title = JSON.stringify(titleOf(folder));
  writeFileSync(
    join(project, manifestFileName),
    `name: pages\ntitle: ${title}\ndescription: Pages without an integration.\norganization: pages\nvisibility: private\nscopes: []\n`,
  );
  writeFileSync(
    join(project, devSettingsFileName),
    `spaces:\n  - { id: pages, title: ${title} }\nsites:\n  - { id: site, title: ${title}, spaces: [pages] }\n`,
  );
  return project;
}

/** Returns the first heading of the first page, or the name of the folder. */
function titleOf(folder: string): string {
  for (const name of ['README.md', 'index.md']) {
    try {
      const [, title] = /^# +(.{1,80})$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      if (title !== undefined) return title.replaceAll(/[`*_]|\s*#+\s*$/g, '').trim() || basename(folder);
    } catch {
      // The next name may exist.
    }
  }
  return basename(folder);
}
