import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createFixture } from 'fs-fixture';
import { good, manifest, type Files } from '../publish/project-under-check.js';
import { goodProjects } from './publish-projects/good-projects.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

interface CheckedProject {
  project: string;
  ok: boolean;
  diagnostics: {
    code: string;
    severity: string;
    message: string;
    file: string;
    range?: { start: { line: number } };
  }[];
  checks: { id: string; verdict: string; evidence: string }[];
}

const results = new Map<string, CheckedProject>();

/** Each with a name of its own, because names are unique. */
function named(name: string, files: Files): Files {
  const { 'platform-manifest.yaml': text = manifest, ...rest } = { ...good, ...files };
  return { ...rest, 'platform-manifest.yaml': String(text).replace('name: weather', `name: ${name}`) };
}

const projects = Object.fromEntries(
  goodProjects.map(([, files], index) => [`good-${index}`, files] as const),
);

beforeAll(async () => {
  await using fixture = await createFixture(
    Object.fromEntries(
      Object.entries(projects).flatMap(([name, files]) =>
        Object.entries(named(name, files)).map(([path, text]) => [`${name}/${path}`, text]),
      ),
    ),
  );
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [platform, 'publish-check', ...Object.keys(projects), '--json'],
    { cwd: fixture.path, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  expect(stderr).toBe('');
  for (const one of (JSON.parse(stdout) as { projects: CheckedProject[] }).projects)
    results.set(one.project, one);
}, 120_000);

const resultOf = (name: string): CheckedProject => {
  const result = results.get(name);
  if (!result) throw new Error(`There is no result of ${name}.`);
  return result;
};

test.each(goodProjects.map(([what], index) => [what, `good-${index}`]))(
  'passes the check for %s',
  (_, name) => {
    const { ok, diagnostics, checks } = resultOf(name);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
    expect(ok).toBe(true);
  },
);
