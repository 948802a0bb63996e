import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFolder } from '../base/package-files.js';
import type { IntegrationScript } from '../runtime/index.js';
import { mistakesIn, type TestProject } from './read-test-project.js';

/** The script that the manifest names, built as `platform dev` builds it. */
export async function loadScript({ folder, integration }: TestProject): Promise<IntegrationScript> {
  if (integration.script === undefined) {
    throw new Error('The manifest names no script: pass the integration itself.');
  }
  const { bundleOnce } = await import('../bundle/index.js');
  const entry = resolve(folder, integration.script);
  const sdk = { folder: fileURLToPath(packageFolder) };
  const built = await bundleOnce({ entry, folder, sdk });
  if (!built.ok) throw mistakesIn(entry, built.diagnostics);
  const place = mkdtempSync(join(tmpdir(), 'platform-test-'));
  try {
    const file = join(place, 'script.mjs');
    writeFileSync(file, built.value.code);
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      default: IntegrationScript;
    };
    return module.default;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
