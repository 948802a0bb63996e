import { build } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let built: Promise<string> | undefined;

/** The program of the sandbox's child process, bundled once a test run as the package's build does. */
export const childProgram = (): Promise<string> => (built ??= bundle());

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'child-'));
  const outfile = join(folder, 'main.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/sandbox/child/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}
