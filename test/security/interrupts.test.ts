import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { interrupt } from '../support/interrupt.js';
import { tarOf } from '../support/tar-entry.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/boundary', import.meta.url));

test('init --from writes either all files or none on Ctrl-C', async () => {
  const folder = temporaryFolder();
  cpSync(fixture, join(folder, 'from'), { recursive: true });
  mkdirSync(join(folder, 'from/many'));
  for (let n = 0; n < 3_000; n += 1)
    writeFileSync(join(folder, `from/many/${n}.ts`), 'export {};\n'.repeat(50));
  const ends: string[] = [];
  for (const [index, afterMs] of [250, 500, 750, 1_000, 1_500].entries()) {
    const { code, left } = await interrupt(
      folder,
      ['init', `mine-${index}`, '--from', 'from', '--yes'],
      afterMs,
    );
    const written = readdirSync(folder).filter((name) => name.includes(`mine-${index}`));
    const files = written.includes(`mine-${index}`)
      ? readdirSync(join(folder, `mine-${index}/many`)).length
      : 0;
    expect([left, written.length, files]).toEqual(
      code === 0 ? [[], 1, 3_000] : [[], files && 1, files && 3_000],
    );
    expect([0, 130]).toContain(code);
    ends.push(`${afterMs} ms: ${code === 130 ? 'stopped' : 'finished'}, ${files} files`);
  }
  console.log(`Ctrl-C in init --from: ${ends.join('; ')}`);
  expect(ends.join()).toContain('stopped');
});

test('init --from stops on Ctrl-C in the middle of one large file', async () => {
  const folder = temporaryFolder();
  cpSync(fixture, join(folder, 'from'), { recursive: true });
  const large =
    "import { createIntegration } from '@acme/runtime';\n" + 'installation.target.x;\n'.repeat(650_000);
  writeFileSync(join(folder, 'from/src/large.ts'), large);
  const argv = ['init', 'mine', '--from', 'from', '--yes'];
  const used: number[] = [];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const ended = await interrupt(folder, argv, 1_500, signal);
    expect([signal, ended.code, ended.left]).toEqual([signal, 130, []]);
    used.push(ended.tookMs);
  }
  expect(readdirSync(folder).filter((name) => name.includes('mine'))).toEqual([]);
  console.log(`SIGINT and SIGTERM within one file of 14 MB: ${used.join(' and ')} ms of processor time`);
  expect(Math.max(...used)).toBeLessThan(500);
});

test('publish-check removes its temporary files on Ctrl-C', async () => {
  const folder = temporaryFolder();
  cpSync(fixture, folder, { recursive: true });
  writeFileSync(join(folder, 'src/index.ts'), 'for (;;);\nexport default {};\n');
  const { code, left } = await interrupt(folder, ['publish-check'], 2_000);
  expect([code, left]).toEqual([130, []]);
});

test.each(['dev', 'publish-check'])('%s exits without an error on Ctrl-C in a build', async (command) => {
  const folder = temporaryFolder();
  cpSync(fixture, folder, { recursive: true });
  const modules = Array.from({ length: 8_000 }, (_, n) => `./module-${n}`);
  for (const module of modules) writeFileSync(join(folder, 'src', `${module}.ts`), 'export {};\n');
  const imports = modules.map((module) => `import ${JSON.stringify(module)};\n`).join('');
  writeFileSync(
    join(folder, 'src/index.ts'),
    `${imports}export default { fetch: () => new Response('ok') };\n`,
  );
  const ends: string[] = [];
  for (const afterMs of [300, 450, 650]) {
    const { code, errors, left } = await interrupt(folder, [command], afterMs);
    expect([code, errors, left]).toEqual([130, '', []]);
    ends.push(`${afterMs} ms`);
  }
  console.log(
    `Ctrl-C in ${command}, in the middle of a build: exit 130 without a message after ${ends.join(', ')}`,
  );
});

test('publish-check stops on Ctrl-C while it searches a large submission', async () => {
  const folder = temporaryFolder();
  const manifest =
    'name: a\ntitle: A\ndescription: B\norganization: c\nvisibility: public\nscopes: []\nscript: ./script.js\n';
  const entries = [
    { path: 'platform-manifest.yaml', content: manifest },
    // The shapes of secrets match the beginning of almost every word.
    { path: 'script.js', content: 'a+SG.'.repeat(6_000_000) },
  ];
  writeFileSync(join(folder, 'large.tgz'), gzipSync(tarOf(entries)));
  const { code, left, tookMs } = await interrupt(folder, ['publish-check', 'large.tgz'], 600);
  console.log(
    `Ctrl-C in publish-check of 30 MB: exit ${code} after ${tookMs} ms of processor time, ${left.length} temporary folders left`,
  );
  expect([code, left]).toEqual([130, []]);
  expect(tookMs).toBeLessThan(2_000);
});
