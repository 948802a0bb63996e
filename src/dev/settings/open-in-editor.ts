import { realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { safeFolder } from '../../base/node/safe-git.js';
import type { Editor, EditorOutcome, SourcePosition } from '../../emulator/index.js';

/** Links that open a file in each of these editors. */
const links: ReadonlyMap<string, string> = new Map([
  ['vscode', 'vscode://file/{path}:{line}:{column}'],
  ['cursor', 'cursor://file/{path}:{line}:{column}'],
  ['idea', 'idea://open?file={path}&line={line}&column={column}'],
]);

/** Returns why the editor in the settings is not used. A project that someone else wrote must not choose what to run. */
export const editorWarning = (setting: string | undefined): string | undefined =>
  setting === undefined || links.has(setting.trim())
    ? undefined
    : `The editor in platform.dev.yaml is not used, because it is not ${[...links.keys()].join(', ')}. To open files with a command, set the environment variable PLATFORM_EDITOR.`;

/**
 * Returns how to open a line in the project: an editor link, or a command with `{path}`, `{line}` and `{column}`. Only the
 * environment can specify a command. Returns undefined if neither the environment nor the settings specify an editor.
 */
export function chooseEditor(
  setting: string | undefined,
  { env, folder }: { env: Readonly<Record<string, string | undefined>>; folder: string },
): Editor | undefined {
  const command = env['PLATFORM_EDITOR']?.trim() ?? '';
  const chosen = command || setting?.trim() || '';
  const link = links.get(chosen);
  const path = folder.split(sep).map(encodeURIComponent).join('/').replace(/^[/]/, '');
  // The console adds the file.
  if (link !== undefined) {
    const leading = chosen === 'idea' ? '/' : '';
    return { link: link.replace('{path}', `${leading}${path.replace('%3A', ':')}/{file}`) };
  }
  return command ? { open: (position) => openWith(command, folder, position) } : undefined;
}

async function openWith(command: string, folder: string, position: SourcePosition): Promise<EditorOutcome> {
  const path = pathInside(folder, position.file);
  if (path === undefined) return { outcome: 'not-found' };
  const values: Record<string, string> = { path, line: `${position.line}`, column: `${position.column}` };
  const whole = command.includes('{path}') ? command : `${command} {path}`;
  const [program = '', ...args] = (whole.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replace(/^"|"$/g, '').replace(/\{(path|line|column)\}/g, (_, name: string) => values[name] ?? ''),
  );
  const { execa } = await import('execa');
  const editor = execa(program, args, {
    cwd: safeFolder(),
    detached: true,
    stdio: 'ignore',
    reject: false,
    cleanup: false,
  });
  editor.unref();
  return Promise.race<EditorOutcome>([
    new Promise((resolve) => editor.once('spawn', () => resolve({ outcome: 'opened' }))),
    editor.then(({ originalMessage = '' }) => ({ outcome: 'failed', message: originalMessage })),
  ]);
}

/** Follows symlinks. Returns undefined if the file is outside the project. */
function pathInside(folder: string, file: string): string | undefined {
  try {
    const path = realpathSync(join(folder, file));
    return path.startsWith(realpathSync(folder) + sep) && statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
