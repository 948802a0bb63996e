import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import { relativePath } from '../base/node/relative-path.js';
import { breakCiCommands } from '../base/text/ci-commands.js';
import { packageFolder } from '../base/package-files.js';
import { findManifest, manifestFileName, manifestIn } from '../manifest/index.js';
import { describeDifferences, findRecordings, openReplayedProject, replayFile } from '../recordings/index.js';

/**
 * How a recording is replayed.
 *
 * @example
 * ```ts
 * import { replayRecording, type ReplayRecordingOptions } from 'integration-platform/testing';
 *
 * const options: ReplayRecordingOptions = { runtime: 'workerd' };
 * await replayRecording('recordings/login.json', options);
 * ```
 */
export interface ReplayRecordingOptions {
  /** The project's manifest or its folder. Default: the nearest one in the folders above the recording. */
  manifest?: string | URL;
  /** Default: the runtime in the dev settings, or Node. */
  runtime?: 'node' | 'workerd';
}

/**
 * Replays a recording, or all recordings in a folder, with the current code, and throws an error that shows every difference. Builds the
 * script and runs it offline in its own process, without a running platform or secrets. Works in any test
 * runner.
 *
 * @example
 * ```ts
 * import { replayRecording } from 'integration-platform/testing';
 * import { test } from 'vitest';
 *
 * test('signs in', () => replayRecording('recordings/login.json'));
 * ```
 */
export async function replayRecording(
  file: string | URL,
  { manifest: chosen, runtime }: ReplayRecordingOptions = {},
): Promise<void> {
  // Test runners show the line of the test, which the stack contains only before the first `await`.
  const failure = new Error();
  Error.captureStackTrace(failure, replayRecording);
  const [, ...calledAt] = failure.stack?.split('\n') ?? [];
  const path = recordingAt(file, calledAt[0]);
  const project = await openReplayedProject({
    file: manifestAt(path, chosen),
    runtime,
    // The script's process runs in the Node of the test.
    // oxlint-disable-next-line no-restricted-globals
    node: process.execPath,
    package: { folder: fileURLToPath(packageFolder), version: manifest.version },
  });
  const texts: string[] = [];
  for (const each of findRecordings(path, path)) {
    const { results } = await replayFile(each, project);
    // A command that is pasted into a terminal must work in the folder where the tests were started.
    // oxlint-disable-next-line no-restricted-globals
    const text = describeDifferences(results, project, relativePath(process.cwd(), each));
    if (text !== undefined) texts.push(text);
  }
  if (texts.length === 0) return;
  // oxlint-disable-next-line no-restricted-globals
  const text = breakCiCommands(texts.join('\n\n'), process.env);
  failure.stack = [`Error: ${text}`, ...calledAt].join('\n');
  failure.message = text;
  throw failure;
}

const pathOf = (given: string | URL): string => resolve(given instanceof URL ? fileURLToPath(given) : given);

/** A path is relative to the current folder or, if there is no such file, to the folder of the test that called. */
function recordingAt(given: string | URL, caller = ''): string {
  const path = pathOf(given);
  if (given instanceof URL || isAbsolute(given) || existsSync(path)) return path;
  const [, test = ''] = /\(?((?:file:\/\/)?\/[^()]+?|[A-Z]:\\[^()]+?):\d+:\d+\)?$/.exec(caller) ?? [];
  const beside = resolve(dirname(test.startsWith('file:') ? fileURLToPath(test) : test), given);
  return test !== '' && existsSync(beside) ? beside : path;
}

function manifestAt(recording: string, chosen: string | URL | undefined): string {
  if (chosen !== undefined) {
    const path = pathOf(chosen);
    return /\.ya?ml$/.test(path) ? path : (manifestIn(path) ?? join(path, manifestFileName));
  }
  const found = findManifest(
    statSync(recording, { throwIfNoEntry: false })?.isDirectory() ? recording : dirname(recording),
  );
  if (found !== undefined) return found;
  throw new Error(`No ${manifestFileName} found above ${recording}. Pass \`manifest\`.`);
}
