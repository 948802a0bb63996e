import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createFixture } from 'fs-fixture';
import { expect } from 'vitest';

/** Reads bombs three times each in a process of their own: a finding, no signal, under 1 s and 256 MB. */
export async function expectHarmless(which: 'some' | 'all'): Promise<void> {
  await using folder = await createFixture({});
  const program = folder.getPath('bombs.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('bombs-child.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    logLevel: 'error',
    define: { 'import.meta.url': JSON.stringify(new URL('../../../src/manifest/index.ts', import.meta.url)) },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [program, which]);
  const { results, polluted, megabytes } = JSON.parse(stdout) as {
    results: { name: string; told: boolean; ms: number }[];
    polluted: boolean;
    megabytes: number;
  };
  const slowest = results.reduce((a, b) => (a.ms > b.ms ? a : b));
  process.stdout.write(
    `${results.length} bombs: at most ${slowest.ms.toFixed(0)} ms (${slowest.name}), ${megabytes.toFixed(0)} MB\n`,
  );
  expect(results.filter(({ told }) => !told)).toEqual([]);
  expect(results.filter(({ ms }) => ms > 1000)).toEqual([]);
  expect(polluted).toBe(false);
  expect(megabytes).toBeLessThan(256);
}
