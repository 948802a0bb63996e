import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startDev } from '../support/dev-session.js';
import { interrupt } from '../support/interrupt.js';
import { makeFifo } from '../support/make-fifo.js';
import { runPlatform, type PlatformRun } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/author', import.meta.url));

function project(): string {
  const folder = temporaryFolder();
  cpSync(fixture, folder, { recursive: true });
  appendFileSync(join(folder, 'src/index.tsx'), "\nimport './part';\n");
  return folder;
}

const kinds: [kind: string, put: (path: string) => void][] = [
  ['a FIFO', makeFifo],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
];

const devOnce = ['dev', '--port', '0', '--exec', 'true'];
const sign = ['webhook', 'sign', '--secret', 'whsec_1', 'body.json'];
const verify = ['webhook', 'verify', '--secret', 'whsec_1', '--header', 't=1700000000,v1=00', 'body.json'];

/** The file that is replaced, and a command that reads it. */
const readers: [file: string, argv: string[], allowed?: 'a folder'][] = [
  // Python's tools keep a folder of that name.
  ['.env', ['validate'], 'a folder'],
  ['.env.team', ['validate', '--dotenv', '.env.team']],
  ['.env.team', ['publish-check', '--dotenv', '.env.team']],
  ['.env.team', [...devOnce, '--dotenv', '.env.team']],
  ['platform-manifest.yaml', ['validate']],
  ['platform.dev.yaml', devOnce],
  ['tsconfig.json', ['publish-check']],
  ['package.json', ['publish-check']],
  ['src/index.tsx', ['publish-check']],
  ['src/part.ts', ['publish-check']],
  ['src/part.ts', devOnce],
  ['body.json', sign],
  ['body.json', verify],
];

test('rejects a FIFO, a device or a folder in place of any project file', async () => {
  const cases = readers.flatMap(([file, argv, allowed]) =>
    kinds
      .filter(([kind]) => kind !== allowed)
      .map(([kind, put]) => async (): Promise<PlatformRun & { what: string }> => {
        const folder = project();
        rmSync(join(folder, file), { recursive: true, force: true });
        put(join(folder, file));
        const run = await runPlatform(argv, { cwd: folder });
        return { what: `${argv[0]} with ${kind} as ${basename(file)}`, ...run };
      }),
  );
  const runs: (PlatformRun & { what: string })[] = [];
  // Two at a time: what is measured is not how long thirty of them take to start.
  for (let first = 0; first < cases.length; first += 2)
    runs.push(...(await Promise.all(cases.slice(first, first + 2).map((start) => start()))));
  for (const { what, code, stdout, stderr } of runs) {
    expect([what, [1, 2].includes(Number(code))]).toEqual([what, true]);
    const named = basename(what.split(' as ')[1] ?? '').replace(/\.ts$/, '');
    expect([what, stdout + stderr]).toEqual([what, expect.stringContaining(named)]);
  }
  const slowest = Math.max(...runs.map(({ ms }) => ms));
  console.log(
    `odd files: ${runs.length} of ${runs.length} commands refuse or report them, slowest ${Math.round(slowest)} ms`,
  );
});

test('keeps running when trigger --file rejects FIFOs, devices and folders', async () => {
  const folder = project();
  const part = join(folder, 'src/part.ts');
  writeFileSync(part, 'export {};\n');
  const dev = await startDev(folder);
  try {
    for (const [kind, put] of kinds) {
      const file = join(folder, `${kind.slice(2)}.json`);
      put(file);
      const { code, stderr } = await runPlatform(['trigger', 'site_view', '--file', file], { cwd: folder });
      expect([kind, code, stderr]).toEqual([kind, 2, expect.stringContaining(file)]);
    }
    rmSync(part);
    makeFifo(part);
    await dev.line(({ type }) => type === 'broken');
    rmSync(part);
    const seen = dev.lines.length;
    writeFileSync(part, 'export const again = true;\n');
    await dev.line((line) => line['type'] === 'built' && dev.lines.indexOf(line) >= seen);
  } finally {
    await dev.stop();
  }
});

test.each([
  [0o666, 1],
  [0o622, 1],
  [0o664, 0],
  [0o600, 0],
])('for a .env file with the permissions %o, prints %d warnings', async (mode, warnings) => {
  const folder = project();
  writeFileSync(join(folder, 'src/part.ts'), 'export {};\n');
  chmodSync(join(folder, '.env'), mode);
  const dev = await startDev(folder);
  await dev.stop();
  const found = dev.lines.filter(({ type, code }) => type === 'warning' && code === 'env-file');
  expect(found.map(({ message }) => message)).toEqual(
    Array.from({ length: warnings }, () => expect.stringContaining('chmod 600')),
  );
});

/** Files of a project, of which `odd` is then made odd. */
const leading: Record<string, Record<string, string>> = {
  'a source map': { 'src/part.ts': 'export {};\n//# sourceMappingURL=odd\n' },
  'a source map in a comment of several lines': {
    'src/part.ts': 'export {};\n/*# sourceMappingURL=odd */\n',
  },
  'an escaped source map': { 'src/part.ts': 'export {};\n//# sourceMappingURL=%6fdd\n' },
  'sources of a source map': {
    'src/part.ts': 'export {};\n//# sourceMappingURL=part.map\n',
    'src/part.map': '{ "version": 3, "sources": ["odd"], "names": [], "mappings": "AAAA" }',
  },
  'sources of an inline source map': {
    'src/part.ts': `export {};\n//# sourceMappingURL=data:application/json;base64,${btoa('{ "version": 3, "sources": ["./odd"], "names": [], "mappings": "AAAA" }')}\n`,
  },
  'extends without an ending': { 'tsconfig.json': '{ "extends": "./src/odd" }' },
  'two extends': {
    'tsconfig.json': '{ "extends": "./src/none.json", /* " */ "ext\\u0065nds" /**/ : ["./src/odd"] }',
  },
};

test('publish-check reports FIFOs and devices that a source map or tsconfig points to', async () => {
  let slowest = 0;
  for (const [what, files] of Object.entries(leading)) {
    for (const [kind, put] of kinds.slice(0, 2)) {
      const folder = project();
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      if (!('src/part.ts' in files)) writeFileSync(join(folder, 'src/part.ts'), 'export {};\n');
      put(join(folder, 'src/odd'));
      const { code, stdout, stderr, ms } = await runPlatform(['publish-check'], { cwd: folder });
      expect([what, kind, [1, 2].includes(Number(code))]).toEqual([what, kind, true]);
      expect([what, stdout + stderr]).toEqual([what, expect.stringContaining(`src/odd is ${kind}`)]);
      slowest = Math.max(slowest, ms);
    }
  }
  console.log(
    `source maps and tsconfigs: ${2 * Object.keys(leading).length} of ${2 * Object.keys(leading).length} reported, slowest ${Math.round(slowest)} ms`,
  );
});

test('publish-check stops on Ctrl-C while the bundler waits for a FIFO inside a package', async () => {
  const folder = project();
  writeFileSync(join(folder, 'src/part.ts'), "import 'odd';\n");
  mkdirSync(join(folder, 'node_modules/odd'), { recursive: true });
  makeFifo(join(folder, 'node_modules/odd/index.js'));
  const { code, errors, left } = await interrupt(folder, ['publish-check'], 1_500);
  expect([code, errors, left]).toEqual([130, '', []]);
});
