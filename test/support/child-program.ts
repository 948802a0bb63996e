import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

let built: Promise<string> | undefined;

/** The program of the sandbox's child process, bundled as the package's build does it. */
export const childProgram = (): Promise<string> => (built ??= bundle());

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/sandbox/child/main.ts', import.meta.url))],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const code = outputFiles[0]?.text ?? '';
  // Named after what is in it: test runs share it, and leave no more than one each version.
  const file = join(
    tmpdir(),
    `script-child-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`,
  );
  const own = `${file}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, file);
  return file;
}
