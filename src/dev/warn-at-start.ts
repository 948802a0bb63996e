import { readStats } from '../base/node/read-stats.js';
import { dotenvFiles, type DevSettings } from '../manifest/index.js';
import type { RuntimeFacts } from '../sandbox/index.js';
import { octal, type UserId } from './private-file.js';
import type { SessionEvent } from './events/session-event.js';
import { editorWarning } from './settings/open-in-editor.js';
import { outboundNotices, type SessionOptions } from './session-options.js';

/** Warns that the project has an `outbound` map, which the author might otherwise miss in someone else's project. */
export function warnOfOutbound(settings: DevSettings, tell: (event: SessionEvent) => void): void {
  for (const message of outboundNotices(settings)) tell({ type: 'warning', code: 'outbound', message });
}

/** A project must not choose an address that other programs have used. */
export function warnOfPorts(
  { consolePort, sitePort }: DevSettings,
  tell: (event: SessionEvent) => void,
): void {
  const ignored = [...(consolePort ? ['consolePort'] : []), ...(sitePort ? ['sitePort'] : [])];
  if (ignored.length === 0) return;
  const message = `${ignored.join(' and ')} in platform.dev.yaml ${ignored.length > 1 ? 'are' : 'is'} ignored, because a project cannot choose these addresses. To forward the ports, use --console-port and --site-port.`;
  tell({ type: 'warning', code: 'ignored-port', message });
}

export function warnOfEditor({ editor }: DevSettings, tell: (event: SessionEvent) => void): void {
  const message = editorWarning(editor);
  if (message !== undefined) tell({ type: 'warning', code: 'editor', message });
}

/** Warns if the debugger is enabled. Debuggers do not send a key, so anyone who can connect to the port can attach one. */
export function warnOfDebugger(
  { inspect }: SessionOptions,
  { name }: RuntimeFacts,
  tell: (event: SessionEvent) => void,
): void {
  if (inspect === undefined) return;
  const power = name === 'node' ? 'run code as you' : "read the script's secrets and control it";
  const message = `Any user of this machine can attach to the debugger on port ${inspect} and ${power}.`;
  tell({ type: 'warning', code: 'debugger', message });
}

export function warnOfEnvFiles(options: SessionOptions, tell: (event: SessionEvent) => void): void {
  for (const file of dotenvFiles({ file: options.manifestFile, ...options })) {
    const message = envFileWarning(file, options.process.userId);
    if (message !== undefined) tell({ type: 'warning', code: 'env-file', message });
  }
}

/** Warns if other users can write to this `.env` file, because it determines the script's secrets. */
function envFileWarning(file: string, userId: UserId): string | undefined {
  if (userId === undefined) return undefined;
  const mode = (readStats(file)?.mode ?? 0) & 0o777;
  return mode & 0o002
    ? `${file} can be written by every user (mode ${octal(mode)}). Run: chmod 600 ${file}`
    : undefined;
}
