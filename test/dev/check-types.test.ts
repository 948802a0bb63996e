import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixture } from 'fs-fixture';
import { expect, onTestFinished, test } from 'vitest';
import { startTypeCheck } from '../../src/dev/check-types.js';
import { bundleOnce } from '../../src/bundle/index.js';
import { createSourceCheck } from '../../src/dev/check-sources.js';
import type { Diagnostic } from '../../src/diagnostics/model/diagnostic.js';

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
  await expect.poll(last).toEqual(["typescript/TS2322 2 Type 'string' is not assignable to type 'number'."]);
  writeFileSync(join(fixture.path, 'src/index.ts'), 'export const count: number = 1;\n');
  await expect.poll(last).toEqual([]);
});

test('explains how to install TypeScript if it is missing', async () => {
  const { failures } = await start({ 'tsconfig.json': tsconfig }, false);
  expect(failures).toEqual([expect.stringContaining('npm install --save-dev typescript')]);
});

/** Reports the problems of a project with this script: code, line and the reason for ignored ones. */
async function reported(script: string): Promise<string[]> {
  const fixture = await createFixture({ 'src/index.ts': script });
  onTestFinished(() => fixture.rm());
  const folder = fixture.path.replace(/\/$/, '');
  const built = await bundleOnce({ entry: join(folder, 'src/index.ts'), folder, sdk: { folder } });
  expect(built.ok).toBe(true);
  const found = await new Promise<Diagnostic[]>((resolve) => {
    const check = createSourceCheck(folder, resolve);
    onTestFinished(check.close);
    check.begin(built.ok ? built.value.files : [], built.diagnostics);
  });
  return found.map(({ code, range, ignored = 'not ignored' }) => `${code} ${range?.start.line} ${ignored}`);
}

const compared = 'export default { same: (a: number) => a === NaN };';

test.each<[what: string, script: string, found: string[]]>([
  ['reports a problem found by the build', compared, ['bundle/suspicious-code 1 not ignored']],
  [
    'ignores a problem found by the build if a comment ignores it',
    `// platform-ignore bundle/suspicious-code: on purpose\n${compared}`,
    ['bundle/suspicious-code 2 on purpose'],
  ],
  [
    'also reports an ignore comment without a reason',
    `// platform-ignore bundle/suspicious-code\n${compared}`,
    ['bundle/suspicious-code 2 ', 'bundle/ignore-without-reason 1 not ignored'],
  ],
])('%s', async (_, script, found) => expect(await reported(script)).toEqual(found));
