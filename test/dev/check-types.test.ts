import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixture } from 'fs-fixture';
import { expect, onTestFinished, test } from 'vitest';
import { startTypeCheck } from '../../src/dev/check-types.js';

const typescript = fileURLToPath(new URL('../../node_modules/typescript', import.meta.url));

async function start(files: Record<string, string>, installed = true) {
  const fixture = await createFixture(files);
  if (installed) {
    mkdirSync(join(fixture.path, 'node_modules'));
    symlinkSync(typescript, join(fixture.path, 'node_modules/typescript'));
  }
  const reports: string[][] = [];
  const failures: string[] = [];
  const stop = startTypeCheck({
    folder: fixture.path.replace(/\/$/, ''),
    node: process.execPath,
    report: (found) =>
      reports.push(found.map(({ code, message, range }) => `${code} ${range?.start.line} ${message}`)),
    fail: (message) => failures.push(message),
  });
  onTestFinished(async () => {
    stop();
    await fixture.rm();
  });
  return { fixture, reports, failures };
}

const tsconfig = '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }';

test('reports type errors until they are fixed', { timeout: 60_000 }, async () => {
  const { fixture, reports } = await start({
    'tsconfig.json': tsconfig,
    'src/index.ts': 'export const name: string = "a";\nexport const count: number = name;\n',
  });
  const last = (): string[] | undefined => reports.at(-1);
  await expect
    .poll(last, { timeout: 30_000 })
    .toEqual(["typescript/TS2322 2 Type 'string' is not assignable to type 'number'."]);
  writeFileSync(join(fixture.path, 'src/index.ts'), 'export const count: number = 1;\n');
  await expect.poll(last, { timeout: 30_000 }).toEqual([]);
});

test('explains how to install TypeScript if it is missing', async () => {
  const { failures } = await start({ 'tsconfig.json': tsconfig }, false);
  expect(failures).toEqual([expect.stringContaining('npm install --save-dev typescript')]);
});
