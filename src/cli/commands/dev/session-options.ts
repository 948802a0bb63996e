import type { RuntimeName } from '../../../protocol/runtime-names.js';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import type { SessionOptions } from '../../../dev/index.js';
import { chooseEnvironment, type EnvironmentOptions } from '../../session/environment-options.js';
import type { CommandContext } from '../../context/command.js';
import type { ConsentMode } from '../../../protocol/oauth/oauth-outcomes.js';
import { packageFolder } from '../../../base/package-files.js';
import { platformVersion } from '../../context/version.js';
import { findPortOwner } from '../../session/port-owner.js';

const debuggerPort = 9229;

export async function sessionOptions(
  { io, cwd }: CommandContext,
  path: string,
  options: DevOptions,
): Promise<SessionOptions> {
  const {
    port,
    consolePort,
    sitePort,
    content,
    state,
    fresh = false,
    notInstalled = false,
    scopes,
    oauth,
    oauthProvider,
    publicUrl,
    timeout,
    inspect,
    runtime,
    clock: startAt,
  } = options;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UserError('no-such-folder', `Folder not found: "${relativePath(cwd, path)}".`);
  const folder = found.isDirectory() ? path : dirname(path);
  const chosen = chooseEnvironment(options, cwd);
  const { findManifest } = await import('../../../manifest/read/find-manifest.js');
  const manifestFile = findManifest(folder);
  if (!manifestFile) {
    throw new UserError(
      'no-manifest',
      `No platform-manifest.yaml was found in ${folder} or any of its parent folders.`,
      'Create an integration with platform init, or pass the folder of an existing one: platform dev <folder>',
    );
  }
  const env = options.vault
    ? {
        ...(await (await import('./read-vault.js')).readVault(manifestFile, io, chosen.environment)),
        ...io.env,
      }
    : io.env;
  const ownerOf = (taken: number): Promise<string | undefined> => findPortOwner(taken, io.platform);
  return {
    manifestFile,
    env,
    platform: io.platform,
    ...chosen,
    port: { option: '--port', named: port, ownerOf },
    consolePort: { option: '--console-port', named: consolePort, ownerOf },
    sitePort: { option: '--site-port', named: sitePort, ownerOf },
    // With `--exec`, no one is there to fix a broken build.
    patient: options.exec === undefined,
    typecheck: options.typecheck === true,
    contentFolder: content === undefined ? undefined : resolve(cwd, content),
    state,
    fresh,
    install: !notInstalled,
    scopes,
    oauth,
    oauthProvider,
    publicUrl,
    timeoutMs: timeout && timeout * 1000,
    inspect: inspect === true ? debuggerPort : inspect || undefined,
    runtime,
    clock: io.clock,
    startAt,
    timers: io.clock,
    signal: io.takeInterrupts(),
    process: { pid: io.pid, userId: io.userId, node: io.execPath, isRunning: io.isRunning },
    package: { folder: fileURLToPath(packageFolder), version: platformVersion },
    listing: async () => {
      const { checkedToJson, checkManifest } = await import('../publish-check/check-for-publish.js');
      return checkedToJson(
        await checkManifest(io, {
          file: manifestFile,
          cwd: dirname(manifestFile),
          interrupted: io.takeInterrupts(),
          ...chosen,
        }),
        dirname(manifestFile),
      );
    },
    replayFailures: async (calls) => {
      const { replayFailures } = await import('../../../recordings/index.js');
      const { openProject } = await import('../replay/run-replay-files.js');
      const project = await openProject({ cwd: dirname(manifestFile), io }, runtime, chosen.environment);
      return replayFailures(calls, { project, platformVersion, signal: io.takeInterrupts() });
    },
    record: async (calls, { replace = false, redact = [], withBinary = false, name }) => {
      const { differsFromLog, saveRecording, describeRecorded } =
        await import('../../../recordings/index.js');
      const { openProject } = await import('../replay/run-replay-files.js');
      const project = await openProject({ cwd: dirname(manifestFile), io }, runtime, chosen.environment);
      const saved = await saveRecording(calls, {
        project,
        name,
        force: replace,
        redact,
        keep: [],
        keepHeaders: [],
        withBinary,
        platformVersion,
        signal: io.takeInterrupts(),
      });
      if (!saved.written) throw differsFromLog(saved);
      return {
        file: relativePath(dirname(manifestFile), saved.file),
        calls: saved.recording.calls.map((call) => call.name),
        facts: describeRecorded(saved),
      };
    },
    token: randomBytes(16).toString('base64url'),
    siteKey: randomBytes(16).toString('base64url'),
  };
}

export interface DevOptions extends EnvironmentOptions {
  port?: number;
  consolePort?: number;
  sitePort?: number;
  content?: string;
  open?: boolean;
  fresh?: boolean;
  state: 'disk' | 'memory';
  timeout?: number;
  inspect?: number | boolean;
  runtime?: RuntimeName;
  notInstalled?: boolean;
  scopes: 'warn' | 'enforce';
  oauth: ConsentMode;
  oauthProvider: 'local' | 'real';
  publicUrl?: string;
  typecheck?: boolean;
  readyFile?: string;
  exec?: string;
  vault?: boolean;
  clock?: number;
}
