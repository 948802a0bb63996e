import { dirname, resolve } from 'node:path';
import { findUp } from '../base/node/folders-up.js';
import { readStats } from '../base/node/read-stats.js';
import { errorMessage } from '../base/text/error-message.js';
import { UserError } from '../base/user-error.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import type { PlatformOptions } from '../emulator/index.js';
import type { DevSettings } from '../manifest/index.js';
import type { SessionEvent } from './events/session-event.js';
import { followContent } from './follow-content.js';
import { watchFolders } from './reload/watch-folders.js';
import type { SessionOptions } from './session-options.js';

interface Mount {
  open: NonNullable<PlatformOptions['mount']>;
  close(): void;
}

/** Opens the folders that `--content` and `platform.dev.yaml` name, and follows their changes. */
export async function createMount(
  { manifestFile, contentFolder, clock, timers }: SessionOptions,
  { workspace }: DevSettings,
  tell: (event: SessionEvent) => void,
): Promise<Mount | undefined> {
  const folders = new Map(
    workspace.spaces.flatMap(({ id, content }, nth) => {
      const named = content === undefined ? undefined : resolve(dirname(manifestFile), content);
      const folder = nth === 0 ? (contentFolder ?? named) : named;
      return folder === undefined ? [] : [[id, folder] as const];
    }),
  );
  if (folders.size === 0) return undefined;
  for (const [space, folder] of folders) checkFolder(space, folder);
  const { openContent } = await import('../content/index.js');
  const closing = new AbortController();
  return {
    open(space, ids) {
      const folder = folders.get(space);
      if (folder === undefined) return undefined;
      const warn = (message: string): void => tell({ type: 'warning', code: 'content', message });
      const report = (diagnostics: Diagnostic[]): void =>
        tell({ type: 'checked', by: 'content', diagnostics, sources: new Map() });
      const content = openContent({
        folder,
        spaceId: space,
        clock,
        timers,
        ids,
        onWarning: ({ file, message, code }) =>
          report([{ code: `content/${code}`, severity: 'warning', message, file: resolve(folder, file) }]),
      });
      const { signal } = closing;
      signal.addEventListener('abort', content.close, { once: true });
      const git = findUp(content.folder, '.git');
      const repository = git === undefined ? {} : { repository: dirname(git) };
      followContent(content, { timers, signal, watch: watchFolders, ...repository }).catch((error: unknown) =>
        warn(`The pages of ${space} are not followed any more. ${errorMessage(error)}`),
      );
      import('./check-pages.js')
        .then(({ checkPages }) => checkPages(content, signal, report))
        .catch((error: unknown) => warn(`The pages of ${space} are not checked. ${errorMessage(error)}`));
      return content;
    },
    close: () => closing.abort(),
  };
}

function checkFolder(space: string, folder: string): void {
  if (readStats(folder)?.isDirectory()) return;
  throw new UserError(
    'no-content-folder',
    `${folder} is not a folder. The space ${space} takes its pages from it.`,
    'Create it, or change --content, or content in platform.dev.yaml.',
  );
}
