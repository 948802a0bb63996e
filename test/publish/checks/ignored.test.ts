import { expect, test } from 'vitest';
import { renderReport } from '../../../src/diagnostics/index.js';
import { check, createProject, manifest, source, type Files } from '../project-under-check.js';

/**
 * Returns verdicts that differ from the good project's, the remaining problems, and ignored ones with
 * reasons.
 */
async function checked(files: Files) {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture);
  const sarif = JSON.parse(
    await renderReport('sarif', report, { cwd: fixture.path, rules: [], version: '1.0.0' } as never),
  ) as { runs: { results: { suppressions?: unknown[] }[] }[] };
  return {
    verdicts: checks
      .filter(({ verdict, id }) => verdict === 'warn' || verdict === 'fail' || id === 'publish/unused-ignore')
      .map(({ id, verdict }) => `${id} ${verdict}`),
    left: report.diagnostics.map(({ code }) => code),
    ignored: report.ignored.map(({ code, ignored }) => `${code}: ${ignored}`),
    suppressed: sarif.runs[0]?.results.filter(({ suppressions }) => suppressions).length,
  };
}

test('lets a comment in the manifest ignore a problem, but still lists the problem with the reason', async () => {
  const text = manifest.replace(
    '  - space:content:read\n',
    '  - space:content:read\n  - openapi:read # platform-ignore publish/unused-scope: loaded later\n',
  );
  expect(await checked({ 'platform-manifest.yaml': text })).toEqual({
    verdicts: ['publish/unused-ignore pass'],
    left: [],
    ignored: ['publish/unused-scope: loaded later'],
    suppressed: 1,
  });
});

test('lets a comment in the source code ignore a problem', async () => {
  const text = `${source}\n// platform-ignore bundle/non-portable-api: a fallback\nexport const id = () => process.pid;\n`;
  expect(await checked({ 'src/index.tsx': text })).toMatchObject({
    left: [],
    ignored: ['bundle/non-portable-api: a fallback'],
  });
});

test.each<[what: string, files: Files, code: string]>([
  [
    'a private visibility',
    {
      'platform-manifest.yaml': manifest.replace(
        'visibility: public',
        'visibility: private # platform-ignore publish/visibility: later',
      ),
    },
    'publish/visibility',
  ],
  [
    'an internal scope',
    {
      'platform-manifest.yaml': manifest.replace(
        '  - space:content:read\n',
        '  - space:content:read\n  - site:script:inject # platform-ignore publish/internal-scope: ours\n',
      ),
    },
    'publish/internal-scope',
  ],
  [
    'a script that does not start',
    { 'src/index.tsx': `${source}\n// platform-ignore publish/start: later\nthrow new Error('No luck');` },
    'publish/start',
  ],
])('reports %s despite a comment, and reports the comment as unused', async (_, files, code) => {
  const { verdicts, left, ignored } = await checked(files);
  expect(verdicts).toEqual([`${code} fail`, 'publish/unused-ignore warn']);
  expect([...left].sort()).toEqual([code, 'publish/unused-ignore'].sort());
  expect(ignored).toEqual([]);
});

test('reports an unused ignore comment and an ignore comment without a reason', async () => {
  const text = manifest
    .replace('title: Weather\n', 'title: Weather # platform-ignore publish/name: ours\n')
    .replace(
      '  - space:content:read\n',
      '  - space:content:read\n  - openapi:read # platform-ignore publish/unused-scope\n',
    );
  const { verdicts, left } = await checked({ 'platform-manifest.yaml': text });
  expect(verdicts).toEqual(['publish/unused-ignore warn']);
  expect(left).toEqual(['publish/unused-ignore', 'publish/ignore-without-reason']);
});
