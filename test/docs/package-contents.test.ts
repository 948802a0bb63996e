import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { llmsText } from '../../scripts/reference/llms.js';
import { registryReadme } from '../../scripts/registry-readme.js';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = [...llmsText().matchAll(/\]\(([^)]*)\)/g)].map(([, page = '']) => `docs/${page}`);

test('docs/llms.txt is up to date (npm run generate updates it)', () => {
  expect(readFileSync(`${root}docs/llms.txt`, 'utf8')).toBe(`${llmsText()}\n`);
});

test('docs/llms.txt lists every guide and every reference page', () => {
  const pages = ['guides', 'reference'].flatMap((folder) =>
    readdirSync(`${root}docs/${folder}`)
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${folder}/${file}`),
  );
  console.log(`llms.txt: ${listed.length} pages`);
  expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
});

/** What `npm pack` would put into the package from the files that are built now. */
const packed = (
  JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ files: { path: string }[] }]
)[0].files.map(({ path }) => path);

test('the package contains docs/llms.txt, the skill, and every page that they or the README list', () => {
  const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'skills/platform/SKILL.md'];
  expect([...listed, ...others, 'docs/llms.txt'].filter((page) => !packed.includes(page))).toEqual([]);
});

test("the README's links and images lead to files of the package if the registry knows no repository", () => {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const text = registryReadme(readme, manifest);
  const links = [...text.matchAll(/\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  );
  const base = `https://unpkg.com/${manifest.name}@${manifest.version}/`;
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !link.startsWith('#') && !packed.includes(link.replace(base, '')))).toEqual(
    [],
  );
  expect(links.filter((link) => packed.includes(link))).toEqual([]);
  expect(registryReadme('[Tests](test/a.ts)', manifest)).toBe('Tests');
  expect(registryReadme(readme, { ...manifest, repository: 'given' })).toBe(readme);
});

const { bin, exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
};
const exported = Object.values(exports).filter((entry) => typeof entry === 'object');

/** Built files that are opened by their path. */
const opened = [
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/console/index.html',
  'dist/site/index.cjs',
  ...['console', 'site'].flatMap((room) =>
    ['app.js', 'app.css', ...(room === 'console' ? ['chunk.js', 'later.js'] : [])].flatMap((file) =>
      ['', '.gz', '.br'].map((end) => `dist/${room}/${file}${end}`),
    ),
  ),
];
/** Built programs that are started by their path. */
const started = [
  'dist/sandbox/child/main.js',
  'dist/sandbox/child/replay.js',
  'dist/sandbox/workerd/worker.mjs',
  'dist/sandbox/workerd/replay.mjs',
  'bin/move-in.js',
];

/** The commands and what they load. They have a `require` of their own, which esbuild would not follow. */
const loadedByCommands = (): string[] =>
  ['dist/cli/main.cjs', 'dist/deliveries/main.cjs'].flatMap((command) => {
    const loaded = readFileSync(`${root}${command}`, 'utf8').matchAll(/\brequire\("\.\.\/([^"]+)"\)/g);
    return [command, ...[...loaded].map(([, path = '']) => `dist/${path}`)];
  });

/** The files, and all that they import, as esbuild reads them. It fails if one is missing. */
async function importsOf(files: string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: true,
    write: false,
    outdir: 'not-written',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    // Otherwise `sideEffects` of the package is a reason to warn.
    ignoreAnnotations: true,
  });
  return Object.keys(metafile.inputs);
}

/** The types of the exports, and all that they import. It fails if one is missing. */
function importedTypes(): string[] {
  // A set also visits what is added during the loop.
  const found = new Set(exported.map(({ types = '' }) => posix.normalize(types)));
  for (const file of found) {
    const { importedFiles } = ts.preProcessFile(readFileSync(`${root}${file}`, 'utf8'));
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue;
      found.add(posix.join(posix.dirname(file), fileName.replace(/[.]js$/, '.d.ts')));
    }
  }
  return [...found];
}

test('the package contains only the built files that its command and exports use', async () => {
  const entries = exported.flatMap((entry) => Object.values(entry).filter((file) => !file.endsWith('.d.ts')));
  const code = await importsOf([...Object.values(bin), ...started, ...loadedByCommands(), ...entries]);
  const reached = new Set([...code, ...importedTypes(), ...opened]);
  const built = packed.filter((file) => /^(bin|dist)\//.test(file));
  console.log(`package: ${built.length} built files`);
  expect(built.filter((file) => file !== 'bin/package.json' && !reached.has(file))).toEqual([]);
  expect([...reached].filter((file) => !packed.includes(file))).toEqual([]);
});

test("authors can use the package without Node's types", () => {
  const ofNode = importedTypes().filter((file) =>
    /'node:|NodeJS[.]/.test(readFileSync(`${root}${file}`, 'utf8')),
  );
  expect(ofNode).toEqual([]);
});

const pages = [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /[.](md|svg)$/.test(file))
    .map((file) => `docs/${file}`),
];

const mention = /(?:on platform |rev: v|"platformVersion": ?"|Platform-Webhook\/)(\d+\.\d+\.\d+)/g;

test('the README, the docs and the images show the current version', () => {
  const mentions = pages.flatMap((page) =>
    [...readFileSync(root + page, 'utf8').matchAll(mention)].map(([, version]) => `${page}: ${version}`),
  );
  expect(mentions.length).toBeGreaterThan(3);
  expect(mentions.filter((line) => !line.endsWith(`: ${manifest.version}`))).toEqual([]);
});
