import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { devSettingsFileName, loadDevSettings, loadManifest, manifestFileName } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import type { Workspace } from '../protocol/workspace.js';

export interface TestProject {
  integration: Integration;
  /** That of `platform.dev.yaml`, as in `platform dev`. */
  workspace: Workspace;
}

/** The project as its files have it, with the secrets of the test instead of those around it. */
export function readProject(where: string | URL = '.', secrets: Record<string, string> = {}): TestProject {
  const path = resolve(where instanceof URL ? fileURLToPath(where) : where);
  const file = /\.ya?ml$/.test(path) ? path : join(path, manifestFileName);
  const folder = dirname(file);
  const loaded = loadManifest({ file, envFile: join(file, 'none') });
  if (!loaded.ok) throw mistakesIn(file, loaded.diagnostics);
  const settings = loadDevSettings(folder);
  if (!settings.ok) throw mistakesIn(join(folder, devSettingsFileName), settings.diagnostics);
  const declared = loaded.value.secrets.map(({ name }) => name);
  const unknown = Object.keys(secrets).find((name) => !declared.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `${file} declares no secret ${unknown}. ${declared.length > 0 ? `It declares ${declared.join(', ')}.` : 'It declares none.'}`,
    );
  }
  return { integration: { ...loaded.value.integration, secrets }, workspace: settings.value.workspace };
}

function mistakesIn(file: string, diagnostics: readonly Diagnostic[]): Error {
  const lines = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message, range }) => `  ${range ? `${range.start.line}:${range.start.column} ` : ''}${message}`);
  return new Error([`${file} has mistakes:`, ...lines].join('\n'));
}
