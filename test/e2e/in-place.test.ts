import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { devHere, type DevHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

let repository: string;
let folder: string;
let running: DevHere | undefined;

/** A repository of another platform: a runtime of its own, and an integration that uses it. */
const files = {
  'package.json': '{ "workspaces": ["packages/*", "integrations/*"] }',
  'node_modules/@acme/runtime/package.json':
    '{ "name": "@acme/runtime", "version": "3.1.0", "exports": { ".": "./index.js", "./jsx-runtime": "./jsx.js" } }',
  'node_modules/@acme/runtime/index.js': `import { createHash } from 'node:crypto';
    export const createIntegration = ({ fetch, render }) => ({
      async fetch(request) {
        const form = await request.formData();
        const event = JSON.parse(form.get('event'));
        const environment = JSON.parse(form.get('environment'));
        if (event.type === 'ui_render') return Response.json(render(environment));
        if (event.type !== 'fetch') return new Response(null, { status: 204 });
        return new Response([MODE, environment.secrets.TOKEN, createHash('sha1').update('a').digest('hex')].join(' '));
      },
    });`,
  'node_modules/@acme/runtime/jsx.js': `export const jsx = (type, props) => ({ type: type + '', ...props });
    export const jsxs = jsx;`,
  'integrations/hello/tsconfig.json':
    '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "@acme/runtime" } }',
  'integrations/hello/acme-manifest.yaml': `name: hello
title: Hello
description: Greets the reader.
organization: acme
visibility: public
script: ./src/index.tsx
scopes: [space:content:read, acme:everything]
summary: Greets the reader of a page.
target: planet
blocks:
  - id: hello
    title: Hello
    description: Greets the reader.
secrets:
  TOKEN: \${{ "op://acme/hello/token" }}
`,
  'integrations/hello/src/index.tsx': `import { createIntegration } from '@acme/runtime';
    export default createIntegration({ render: () => ({ type: 'element', element: <block><text>Hello</text></block> }) });`,
};

beforeEach(() => {
  repository = temporaryFolder();
  folder = join(repository, 'integrations/hello');
  for (const [path, text] of Object.entries(files)) write(path, text);
});
afterEach(() => running?.stop());

const write = (path: string, text: string): void => writeFiles(repository, { [path]: text });

const filesNow = (): string[] =>
  readdirSync(repository, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('.platform'))
    .toSorted();

async function answerOf(argv: string[], env: Record<string, string> = {}): Promise<string> {
  running = devHere(join(folder, 'src'), ['--runtime', 'node', '--port', '0', ...argv], { env });
  await running.prints(/Public/);
  const [, url] = /Public +(\S+)/.exec(running.text()) ?? [];
  await running.prints(/built in/);
  return (await fetch(`${url}/x`)).text();
}

const sha1OfA = '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8';

test('runs a project of another platform as it is, and writes nothing but .platform', async () => {
  write('bunfig.toml', '');
  const before = filesNow();
  expect(await answerOf([])).toBe(`production made-up-TOKEN ${sha1OfA}`);
  expect(running?.text()).toContain('This is a project for acme. The script runs as it is');
  expect(running?.text()).toContain('bun add --dev workerd@');
  await running?.prints(/The secret TOKEN is in a vault/);
  expect(running?.text()).not.toMatch(/error/);
  const rendered = await runCli(['render', 'hello', '--json'], { cwd: folder });
  expect(JSON.parse(rendered.stdout)).toMatchObject({
    element: { type: 'block', children: { type: 'text', children: 'Hello' } },
  });
  expect(filesNow()).toEqual(before);
});

test('replaces the made-up value of a secret in a vault with the variable of the same name', async () => {
  expect(await answerOf([], { TOKEN: 'mine' })).toContain(' mine ');
  expect(running?.text()).not.toContain('in a vault');
});

test('asks the vault of a known family only with --vault', async () => {
  const bin = join(repository, 'bin');
  write(
    'bin/op',
    `#!/bin/sh\n[ "$1 $3" = "read op://acme/hello/token" ] && [ ! -e package.json ] && printf sesame\n`,
  );
  chmodSync(join(bin, 'op'), 0o755);
  write('integrations/hello/gitbook-manifest.yaml', files['integrations/hello/acme-manifest.yaml']);
  rmSync(join(folder, 'acme-manifest.yaml'));
  write(
    'node_modules/@gitbook/runtime/package.json',
    '{ "version": "9.9.9", "exports": { "./jsx-runtime": "./jsx.js" } }',
  );
  write('node_modules/@gitbook/runtime/jsx.js', files['node_modules/@acme/runtime/jsx.js']);
  write(
    'integrations/hello/src/index.tsx',
    files['integrations/hello/src/index.tsx']
      .replace('()', '({ installation })')
      .replace('Hello<', '{installation.target.organization}<'),
  );
  const { PATH } = process.env;
  process.env['PATH'] = `${bin}:${PATH}`;
  try {
    expect(await answerOf(['--vault'])).toContain(' sesame ');
  } finally {
    process.env['PATH'] = PATH;
  }
  expect(running?.text()).toContain('with its own @gitbook/runtime 9.9.9');
  const { stdout } = await runCli(['render', 'hello', '--json'], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ element: { children: { children: 'org_local' } } });
});

test('reports what the other platform may allow as notes, and everything else as before', async () => {
  const { code, stdout } = await runCli(['validate', '--json'], { cwd: join(folder, 'src') });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { severity: string; code: string }[] };
  expect([code, diagnostics.map(({ severity, code: rule }) => `${severity} ${rule}`).toSorted()]).toEqual([
    0,
    ['info manifest/secret-expression', 'info manifest/unknown-scope', 'info manifest/unknown-target'],
  ]);
  for (const [line, wrong] of [
    ['name: hello\n', ''],
    ['visibility: public', 'visibility: publik'],
    ['blocks:', 'blokcs:'],
    ['space:content:read', 'space:contnt:read'],
    ['planet', 'spce'],
  ] as const) {
    const manifest = 'integrations/hello/acme-manifest.yaml';
    write(manifest, files[manifest].replace(line, wrong));
    expect([wrong, (await runCli(['validate'], { cwd: folder })).code]).toEqual([wrong, 1]);
  }
});

test('prefers platform-manifest.yaml, and chooses none of several other manifests', async () => {
  const of = async (): Promise<unknown> =>
    JSON.parse((await runCli(['validate', '--json'], { cwd: folder })).stdout)['files'];
  rmSync(join(folder, 'acme-manifest.yaml'));
  write('integrations/hello/other-manifest.yaml', 'name: other\n');
  expect((await runCli(['validate'], { cwd: folder })).stderr).toContain('other-manifest.yaml is not used');
  write('integrations/hello/acme-manifest.yaml', files['integrations/hello/acme-manifest.yaml']);
  expect(await of()).toEqual(['acme-manifest.yaml']);
  write('integrations/hello/other-manifest.yaml', 'script: ./src/index.tsx\n');
  expect(await of()).toBeUndefined();
  write('integrations/hello/platform-manifest.yaml', files['integrations/hello/acme-manifest.yaml']);
  expect(await of()).toEqual(['platform-manifest.yaml']);
  write(
    'integrations/hello/platform-manifest.yaml',
    'name: hello\ntitle: Hello\ndescription: Greets.\norganization: acme\nvisibility: private\nscopes: []\n',
  );
  running = devHere(folder, ['--runtime', 'node', '--port', '0']);
  await running.prints(/acme-manifest\.yaml is not used/);
});

test('checks what holds on every platform before publishing, and says why it skips the rest', async () => {
  const check = async (...argv: string[]): Promise<Map<string, { verdict: string; evidence: string }>> => {
    const { stdout } = await runCli(['publish-check', '--json', ...argv], { cwd: join(folder, 'src') });
    const { checks } = JSON.parse(stdout) as { checks: { id: string; verdict: string; evidence: string }[] };
    return new Map(checks.map(({ id, ...row }) => [id.replace('publish/', ''), row]));
  };
  write('node_modules/workerd/package.json', '{ "main": "index.js" }');
  write('node_modules/workerd/index.js', "module.exports = { default: '', version: '1.20240101.0' };");
  const rows = await check('--against', '..');
  expect(rows.get('workerd')).toMatchObject({
    verdict: 'skipped',
    evidence: expect.stringMatching(/too old.*: npm install --save-dev workerd@/),
  });
  const withVerdict = (verdict: string): string[] =>
    [...rows].flatMap(([id, row]) => (row.verdict === verdict ? [id] : []));
  expect(withVerdict('fail')).toEqual([]);
  expect(withVerdict('pass')).toEqual(
    expect.arrayContaining(['manifest', 'script', 'start', 'default-export', 'render', 'breaking-change']),
  );
  expect(withVerdict('skipped')).toEqual(
    expect.arrayContaining(['visibility', 'icon', 'web-apis', 'missing-component', 'event-scope']),
  );
  expect(rows.get('visibility')?.evidence).toContain('acme');
});

test.each([
  ['1.20250710.0', 'structuredLogging = true,'],
  ['1.20261023.1', 'logging = (structuredLogging = true),'],
])(
  'configures workerd %s as that release expects, and says what it complains about',
  async (version, line) => {
    const binary = join(repository, 'workerd.sh');
    write('workerd.sh', '#!/bin/sh\ngrep -i logging "$3" >&2; exit 1\n');
    chmodSync(binary, 0o755);
    write('node_modules/workerd/package.json', '{ "main": "index.js" }');
    write(
      'node_modules/workerd/index.js',
      `module.exports = ${JSON.stringify({ default: binary, version, compatibilityDate: '2025-07-01' })};`,
    );
    const { code, stderr } = await runCli(['dev', '--port', '0', '--state', 'memory', '--exec', 'true'], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`exit code 1 (${line})`)]);
  },
);

test("names the command that installs the project's packages if one is missing", async () => {
  execFileSync('git', ['init', '-q'], { cwd: repository });
  write('package.json', '{ "packageManager": "pnpm@9.0.0" }');
  write(
    'integrations/hello/src/index.tsx',
    "import '@acme/missing'; import '@acme/colors'; import './generated'; import '../../../packages/words';",
  );
  write('packages/words/index.ts', "import '@acme/missing-too';");
  write('packages/colors/package.json', '{ "main": "dist/index.js" }');
  write('integrations/hello/package.json', '{ "scripts": { "build": "make" } }');
  symlinkSync('../../packages/colors', join(repository, 'node_modules/@acme/colors'));
  const { stdout } = await runCli(['publish-check', '--json'], { cwd: folder });
  expect(stdout).toContain(
    'The package is in ../../packages/colors and may need a build. In that folder, run: pnpm run build',
  );
  expect(stdout).toContain('If a script creates it, run that first: pnpm run build');
  expect(stdout).toContain("Install the project's packages: pnpm install");
  expect(stdout).toMatch(/missing-too[^}]*pnpm install/);
});

test('writes types only to the file that --out names, and adds nothing', async () => {
  const before = filesNow();
  const refused = [
    await runCli(['types'], { cwd: folder }),
    await runCli(['add', 'event', 'space_view'], { cwd: folder }),
  ];
  expect(refused.map(({ code }) => code)).toEqual([2, 2]);
  expect(refused[0]?.stderr).toContain('platform types --out');
  expect(filesNow()).toEqual(before);
  const { code, stdout } = await runCli(['types', '--out', 'types.ts'], { cwd: folder });
  expect([code, stdout]).toEqual([0, 'Wrote types.ts.\n']);
});
