import { reportToJson } from '../../../diagnostics/index.js';
import { isUserError } from '../../../base/user-error.js';
import { watchFiles } from '../../../dev/reload/watch-files.js';
import {
  devSettingsBeside,
  dotenvFiles,
  findDocuments,
  findManifests,
  namedFiles,
  withDevSettings,
} from '../../../manifest/index.js';
import type { CommandContext } from '../../context/command.js';
import { checkManifests, type Checked, type CheckOptions } from './check-manifests.js';
import { printReport } from './print-report.js';

/** Checks again whenever a file is saved, until the signal is aborted. */
export async function watchManifests(
  named: readonly string[],
  context: CommandContext,
  options: CheckOptions,
): Promise<void> {
  const signal = context.io.takeInterrupts();
  // Keeps watching the manifest that was found at the start, even if another one is created in a closer folder.
  const usual = named.length > 0 ? undefined : findManifests(named, context.cwd);
  let files: string[] = [];
  let folders: string[] = [];
  let printed = '';

  const find = (): void => {
    const searched = new Set<string>();
    try {
      files = usual ? withDevSettings(usual) : findDocuments(named, context.cwd, searched);
      folders = [...searched];
    } catch (error) {
      // A folder that was renamed may be renamed back, so its files are still watched.
      if (!isUserError(error) || files.length === 0) throw error;
    }
  };
  const check = (): { checked: Checked; paths: string[] } => {
    find();
    const checked = checkManifests(
      files.map((file) => ({ file })),
      options,
    );
    const beside = files.flatMap((file) => [
      devSettingsBeside(file),
      ...dotenvFiles({ file, ...options.chosen }),
      ...namedFiles(file, checked.sources.get(file)?.text),
    ]);
    return { checked, paths: [...files, ...beside, ...folders] };
  };

  find();
  const watcher = watchFiles([...files, ...folders], (changed) => void run(changed), { signal, settleMs: 5 });
  const run = async (changed: readonly string[]): Promise<void> => {
    const { checked, paths } = check();
    watcher.watch(paths);
    const text = JSON.stringify(reportToJson(checked.report, context));
    if (text === printed && !changed.some((path) => files.includes(path))) return;
    if (printed !== '' && !context.json) context.print('');
    printed = text;
    if (context.json) context.emit({ type: 'report', ...reportToJson(checked.report, context) });
    else await printReport(checked, context);
  };
  await run(files);
  context.note(
    `Watching ${files.length === 1 ? 'one file' : `${files.length} files`}. Press Ctrl-C to stop.`,
  );
  await new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
