import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FsFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { createProject, manifest, source, type Files } from '../publish/project-under-check.js';
import { runCli } from '../support/run-cli.js';
import { createSarifValidator } from '../support/sarif.js';

const run = (fixture: FsFixture, argv: string[]) =>
  runCli(['publish-check', ...argv], { cwd: fixture.getPath('project') });

const json = (text: string): { ok: boolean; checks: { id: string; verdict: string; evidence: string }[] } =>
  JSON.parse(text);

const privately: Files = {
  'platform-manifest.yaml': manifest.replace('visibility: public', 'visibility: private'),
};

const wellFormed: Record<string, (text: string) => void> = {
  text: (text) =>
    expect(text).toMatch(
      /\nfail {4}Visibility [^]*\n\d+ pass, 0 warn, 1 fail, 2 review, 2 skipped\.\nnext: platform explain publish\/visibility\n$/,
    ),
  json: (text) => {
    const { ok, checks } = json(text);
    expect(ok).toBe(false);
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toMatchObject([{ id: 'publish/visibility' }]);
    expect(checks.filter(({ verdict }) => verdict === 'review')).toHaveLength(2);
  },
  sarif: (text) => {
    const log = JSON.parse(text) as { runs: { results: { ruleId: string; level: string }[] }[] };
    expect(createSarifValidator()(log)).toBe(true);
    const errors = log.runs.flatMap(({ results }) => results.filter(({ level }) => level === 'error'));
    expect(errors).toMatchObject([{ ruleId: 'publish/visibility' }]);
  },
  junit: (text) => {
    const open: string[] = [];
    for (const [, close, tag = '', single] of text.matchAll(/<(\/?)([a-z-]+)[^<>]*?(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(tag);
      else if (!single) open.push(tag);
    }
    expect(open).toEqual([]);
    expect(text.match(/<failure /g)).toHaveLength(1);
    expect(text).toContain('publish/visibility');
  },
  github: (text) => {
    const lines = text.trim().split('\n');
    const count = lines.pop();
    expect(count).toBe('1 error in 1 file.');
    expect(lines.filter((line) => !/^::(error|warning|notice) /.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(1);
    expect(text).toMatch(/^::error file=platform-manifest\.yaml,.*line=7,/m);
  },
  markdown: (text) => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map((line) => line.replaceAll('\\|', '').split('|').length))).toEqual(new Set([5]));
    expect(rows.filter((line) => line.includes('❌'))).toHaveLength(1);
    expect(text.length).toBeLessThan(65_536);
  },
};

test.each(Object.keys(wellFormed))('prints complete and reproducible %s output', async (format) => {
  await using fixture = await createProject(privately);
  const one = await run(fixture, ['--format', format]);
  expect(one.code, one.stderr).toBe(1);
  wellFormed[format]?.(one.stdout);
  expect((await run(fixture, ['--format', format])).stdout).toBe(one.stdout);
});

/** `project` is good, `other` is private. */
const createTwo = async (): Promise<FsFixture> => {
  const fixture = await createProject();
  cpSync(fixture.getPath('project'), fixture.getPath('other'), { recursive: true });
  const file = fixture.getPath('other/platform-manifest.yaml');
  const text = manifest.replace('name: weather', 'name: storms');
  writeFileSync(file, text.replace('visibility: public', 'visibility: private'));
  return fixture;
};

test('prints one summary and exits with 1 if any of the integrations is invalid', async () => {
  await using fixture = await createTwo();
  const { code, stdout } = await run(fixture, ['.', '../other']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\.\n\npass {4}Manifest/);
  expect(stdout).toMatch(/\n\.\.\/other\n\npass {4}Manifest/);
  expect(stdout.slice(stdout.lastIndexOf('\n.  '))).toMatch(
    /^\n\. +\d+ pass, 0 warn, 0 fail, .*\n\.\.\/other +\d+ pass, 0 warn, 1 fail, .*\n\n2 integrations\. 1 failed\.\nnext: platform explain publish\/visibility\n$/,
  );
});

test('prints the same JSON results as separate checks of each integration', async () => {
  await using fixture = await createTwo();
  const { code, stdout } = await run(fixture, ['.', '../other', '--json']);
  const both = JSON.parse(stdout) as { version: number; projects: object[] };
  expect([code, Object.keys(both)]).toEqual([1, ['version', 'projects']]);
  expect(both.projects).toMatchObject([
    { project: '.', ok: true },
    { project: '../other', ok: false },
  ]);
  const { version: _, ...alone } = JSON.parse((await run(fixture, ['../other', '--json'])).stdout) as Record<
    string,
    unknown
  >;
  expect(both.projects[1]).toEqual({ project: '../other', ...alone });
});

test('reports the line of a second manifest with the same name', async () => {
  await using fixture = await createTwo();
  writeFileSync(fixture.getPath('other/platform-manifest.yaml'), manifest);
  const { code, stdout } = await run(fixture, ['.', '../other', '--json']);
  const { projects } = JSON.parse(stdout) as {
    projects: { ok: boolean; diagnostics: object[]; checks: { id: string; verdict: string }[] }[];
  };
  expect([code, ...projects.map(({ ok }) => ok)]).toEqual([1, true, false]);
  const place = { file: '../other/platform-manifest.yaml', range: { start: { line: 1, column: 7 } } };
  expect(projects[1]?.diagnostics).toMatchObject([{ code: 'manifest/duplicate-name', ...place }]);
  const failed = projects[1]?.checks.filter(({ verdict }) => verdict === 'fail');
  expect(failed).toMatchObject([{ id: 'publish/manifest' }]);
  expect((await run(fixture, ['../other', '--json'])).code).toBe(0);
});

test('writes one report for all integrations in the formats that other programs read', async () => {
  await using fixture = await createTwo();
  const issues = JSON.parse((await run(fixture, ['.', '../other', '--format', 'gitlab'])).stdout) as object[];
  expect(issues).toMatchObject([
    { check_name: 'publish/visibility', location: { path: '../other/platform-manifest.yaml' } },
  ]);
  const { stdout } = await run(fixture, ['.', '../other', '--format', 'markdown']);
  expect(stdout.match(/^### .*/gm)).toEqual(['### .', '### ../other']);
});

test.each([
  ['--pack', 'out.tgz'],
  ['--against', 'v1'],
])('rejects %s for several integrations', async (...option) => {
  await using fixture = await createTwo();
  const { code, stderr } = await run(fixture, ['.', '../other', ...option]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${option[0]} works with one integration, but there are 2.`);
});

test('--rule sets the severity of any code', async () => {
  await using fixture = await createProject(privately);
  const verdict = async (...rules: string[]): Promise<unknown[]> => {
    const { code, stdout } = await run(fixture, [...rules.flatMap((rule) => ['--rule', rule]), '--json']);
    return [code, json(stdout).checks.find(({ id }) => id === 'publish/visibility')?.verdict];
  };
  expect(await verdict('publish/visibility=warning')).toEqual([0, 'warn']);
  expect(await verdict('publish/visibility=off')).toEqual([0, 'skipped']);
  const { code, stderr } = await run(fixture, ['--rule', 'publish/visibilty=off']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "publish/visibility"?')]);
});

const git = (fixture: FsFixture, ...argv: string[]): string =>
  execFileSync('git', argv, {
    cwd: fixture.getPath('project'),
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@acme.dev',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@acme.dev',
    },
  });
const change = (fixture: FsFixture, path: string, text: string): void =>
  writeFileSync(join(fixture.getPath('project'), path), text);
const verdict = (stdout: string) => json(stdout).checks.find(({ id }) => id === 'publish/breaking-change');

test('compares the integration with a commit, even in a larger repository', async () => {
  await using fixture = await createProject();
  execFileSync('git', ['init', '--quiet'], { cwd: fixture.path });
  git(fixture, 'add', '.');
  git(fixture, 'commit', '--quiet', '--message', 'first');
  git(fixture, 'tag', 'v1');
  expect(verdict((await run(fixture, ['--against', 'v1', '--json'])).stdout)).toMatchObject({
    verdict: 'pass',
  });

  change(fixture, 'platform-manifest.yaml', manifest.replace('  - space:content:read', '  - openapi:read'));
  for (const ref of ['v1', 'HEAD', git(fixture, 'rev-parse', 'HEAD').trim()]) {
    const { code, stdout } = await run(fixture, ['--against', ref, '--json']);
    expect(code).toBe(1);
    expect(verdict(stdout)).toMatchObject({ verdict: 'fail', evidence: `1 breaking change since ${ref}.` });
  }
  change(fixture, 'package.json', '{ "name": "weather", "version": "2.0.0" }');
  expect(verdict((await run(fixture, ['--against', 'v1', '--json'])).stdout)).toMatchObject({
    verdict: 'pass',
  });
});

test.each(['v9', '--output=stolen', 'HEAD'])('rejects the baseline %s as a usage error', async (ref) => {
  await using fixture = await createProject();
  execFileSync('git', ['init', '--quiet'], { cwd: fixture.path });
  const { code, stderr } = await run(fixture, [`--against=${ref}`]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Unknown commit, branch or tag: "${ref}".`);
  expect(await fixture.exists('project/stolen')).toBe(false);
});

test('packs exactly what was checked, and checks the packed submission without running its script', async () => {
  await using fixture = await createProject();
  const { code, stderr } = await run(fixture, ['--pack', '../out.tgz', '--quiet']);
  expect([code, stderr]).toEqual([0, '']);
  const listed = execFileSync('tar', ['tzf', fixture.getPath('out.tgz')], { encoding: 'utf8' });
  expect(listed.trim().split('\n')).toEqual([
    'platform-manifest.yaml',
    'script.js',
    'icon.png',
    'preview.png',
  ]);
  const packed = await run(fixture, ['../out.tgz', '--json']);
  expect([packed.code, json(packed.stdout).ok]).toEqual([0, true]);
  expect(packed.stdout).not.toContain('client-id-of-acme');
});

test.each([
  ['../nowhere/out.tgz', '--pack ../nowhere/out.tgz cannot be created. Folder not found: ../nowhere.'],
  ['src', '--pack src is a folder.'],
])('does not write a packed submission to %s', async (pack, message) => {
  await using fixture = await createProject();
  const { code, stdout, stderr } = await run(fixture, ['--pack', pack]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});

/** `staging` has a title and a client of its own; the files hold other values than `.env`. */
const files: Files = {
  'platform-manifest.yaml': `${manifest}envs:
  staging:
    title: Weather plugin
    secrets:
      CLIENT_ID: \${{ env.STAGING_ID }}
`,
  '.env.staging': 'STAGING_ID=client-id-of-staging\n',
  'ci.env': 'CLIENT_ID=client-id-of-ci\n',
  'src/ci.ts': "export const id = 'client-id-of-ci';",
  'src/staging.ts': "export const id = 'client-id-of-staging';",
  'src/index.tsx': `import { id } from './ci.js';\nimport { id as other } from './staging.js';\n${source}\nexport const ids = [id, other];`,
};

const codes = (text: string): unknown[] =>
  (JSON.parse(text) as { diagnostics: { code: string; file: string; range: object }[] }).diagnostics
    .filter(({ code }) => code.startsWith('publish/'))
    .map(({ code, file }) => `${code} ${file}`);

test.each<[option: string, argv: string[], found: string[]]>([
  ['no option', [], []],
  [
    '--env',
    ['--env', 'staging'],
    ['publish/name platform-manifest.yaml', 'publish/leaked-secret src/staging.ts'],
  ],
  ['--dotenv', ['--dotenv', 'ci.env'], ['publish/leaked-secret src/ci.ts']],
])('uses the options to choose which secret values to search for: %s', async (_, argv, found) => {
  await using fixture = await createProject(files);
  const { code, stdout, stderr } = await run(fixture, [...argv, '--json']);
  expect(codes(stdout), stderr).toEqual(found);
  expect(code).toBe(found.length === 0 ? 0 : 1);
});

test.each<[argv: string[], message: string]>([
  [['--dotenv', 'none.env'], 'none.env'],
  [['--dotenv', 'src'], 'src'],
])('rejects %j as a usage error', async (argv, named) => {
  await using fixture = await createProject(files);
  const { code, stderr } = await run(fixture, argv);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
});

test('reports a missing environment as a problem', async () => {
  await using fixture = await createProject(files);
  const { code, stdout } = await run(fixture, ['--env', 'stagin']);
  expect([code, stdout]).toEqual([1, expect.stringContaining('stagin')]);
});
