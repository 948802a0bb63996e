import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadManifest, manifestFileName } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';

/** The integration as the manifest has it, with the secrets of the test instead of those around it. */
export function readManifest(where: string | URL = '.', secrets: Record<string, string> = {}): Integration {
  const path = resolve(where instanceof URL ? fileURLToPath(where) : where);
  const file = /\.ya?ml$/.test(path) ? path : join(path, manifestFileName);
  const loaded = loadManifest({ file, envFile: join(file, 'none') });
  if (!loaded.ok) {
    const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
    const lines = errors.map(
      ({ message, range }) => `  ${range ? `${range.start.line}:${range.start.column} ` : ''}${message}`,
    );
    throw new Error([`${file} has mistakes:`, ...lines].join('\n'));
  }
  const declared = loaded.value.secrets.map(({ name }) => name);
  const unknown = Object.keys(secrets).find((name) => !declared.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `${file} declares no secret ${unknown}. ${declared.length > 0 ? `It declares ${declared.join(', ')}.` : 'It declares none.'}`,
    );
  }
  return { ...loaded.value.integration, secrets };
}
