import { join } from 'node:path';
import { createReport } from '../../../diagnostics/index.js';
import { manifestFileName, parseManifest } from '../../../manifest/index.js';
import { checkManifests, type Checked } from '../validate/check-manifests.js';

/** Runs `platform validate` on the new project. In a dry run, the files next to the manifest are not checked. */
export function checkImported(
  { folder, files, written }: { folder: string; files: ReadonlyMap<string, Uint8Array>; written: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Checked {
  const file = join(folder, manifestFileName);
  if (written) return checkManifests([{ file }], { env, choices: { rules: new Map(), strict: false } });
  const text = new TextDecoder().decode(files.get(manifestFileName));
  const { diagnostics, source } = parseManifest(text, file);
  return { report: createReport([file], diagnostics), sources: new Map([[file, source]]) };
}
