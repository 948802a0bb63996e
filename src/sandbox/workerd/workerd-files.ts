import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { platform } from 'node:os';
import { basename, join } from 'node:path';
import { mapComment, type ScriptFile } from '../process/script-folder.js';
import type { WorkerSettings } from './worker-protocol.js';

/** A process's files in the sandbox's private folder. */
export type WorkerdFiles = ReturnType<typeof writeWorkerdFiles>;

interface Contents {
  workerFile: string;
  settings: WorkerSettings;
  script: ScriptFile;
  debugged: boolean;
}

/** Longer socket paths do not work on all systems. */
const LONGEST_SOCKET = 100;

export function writeWorkerdFiles(folder: string, { workerFile, settings, script, debugged }: Contents) {
  const name = `workerd-${randomBytes(4).toString('hex')}`;
  const own = (ending: string): string => join(folder, `${name}${ending}`);
  const sockets = { calls: own('-calls'), outbound: own('-out') };
  const worker = 'worker.mjs';
  if (!existsSync(join(folder, worker))) copyFileSync(workerFile, join(folder, worker));
  writeFileSync(own('.json'), JSON.stringify(settings));
  if (debugged) writeDebugged(script, own('.mjs'));
  return {
    config: own('.capnp'),
    /** The names of the files in the folder that contains the configuration. */
    modules: { worker, script: debugged ? `${name}.mjs` : basename(script.file), settings: `${name}.json` },
    /**
     * The paths of the process's sockets. Undefined if the system does not support Unix sockets or the paths would be too long.
     */
    sockets: platform() === 'win32' || sockets.calls.length > LONGEST_SOCKET ? undefined : sockets,
    remove() {
      for (const ending of ['.capnp', '.json', '.mjs', '-calls', '-out'])
        rmSync(own(ending), { force: true });
    },
  };
}

/** Writes the script with an inline source map, because a debugger cannot read the map from anywhere else. */
function writeDebugged({ file, map = '' }: ScriptFile, copy: string): void {
  const data = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  writeFileSync(copy, `${readFileSync(file, 'utf8')}\n${mapComment}${data}\n`);
}
