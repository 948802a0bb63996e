import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { UserError } from '../../../base/user-error.js';
import { loadManifest, findManifest } from '../../../manifest/index.js';
import type { RecordedCall } from './render-call.js';
import { renderRecordedTest } from './render-recorded-test.js';

/** Writes a recorded call as a test file, and returns its path. */
export async function writeRecordedTest(cwd: string, call: RecordedCall, chosen?: string): Promise<string> {
  const manifestFile = findManifest(cwd);
  const loaded = manifestFile === undefined ? undefined : loadManifest({ file: manifestFile });
  const script = loaded?.ok ? loaded.value.integration.script : undefined;
  if (!manifestFile || !script) {
    throw new UserError(
      'no-script',
      'There is no manifest with a script in this folder or above it.',
      "Run it in the integration's folder.",
    );
  }
  const folder = dirname(manifestFile);
  const ending = /\.tsx?$/.test(script) ? 'ts' : 'js';
  const usual = join(folder, 'test', `${call.entry.id}.test.${ending}`);
  const file = chosen === undefined ? usual : resolve(cwd, chosen);
  const from = (path: string): string => {
    const shown = relative(dirname(file), join(folder, path)).replaceAll('\\', '/');
    return shown.startsWith('.') ? shown : `./${shown}`;
  };
  const text = renderRecordedTest(call, {
    script: from(script).replace(/\.[jt]sx?$/, ''),
    manifest: from(relative(folder, manifestFile)),
  });
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UserError(
      'file-exists',
      `${relative(cwd, file)} already exists.`,
      'Choose another file: --as-test <file>',
    );
  }
  return relative(cwd, file);
}
