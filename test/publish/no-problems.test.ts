import { expect, test } from 'vitest';
import { check, createProject, manifest } from './project-under-check.js';

test('counts a character outside the BMP as one character', async () => {
  await using fixture = await createProject({
    'platform-manifest.yaml': manifest.replace('readers see its weather.', 'see it: ☀️🌦🌧.'),
  });
  const { checks } = await check(fixture);
  expect(checks.find(({ id }) => id === 'publish/summary')?.evidence).toBe('50 of at most 2048 characters.');
});

test('passes every automatic check for a project without problems', async () => {
  await using fixture = await createProject();
  const { report, checks } = await check(fixture);
  expect(report.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(report.ok).toBe(true);
  expect(checks.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => [id, verdict])).toEqual([
    ['publish/workerd', 'skipped'],
    ['publish/breaking-change', 'skipped'],
    ['publish/unique-name', 'review'],
    ['publish/behaviour', 'review'],
  ]);
  // The SDK grows and shrinks, and the script with it.
  const seen = checks.map(({ id, evidence }) => [
    id.slice('publish/'.length),
    evidence.replaceAll(/(builds to|own code) [\d.]+/g, '$1 n'),
  ]);
  expect(Object.fromEntries(seen)).toMatchObject({
    manifest: 'The manifest is valid.',
    name: 'weather, "Weather".',
    organization: 'Belongs to acme.',
    visibility: 'The visibility is public.',
    description: '66 characters.',
    summary: '61 of at most 2048 characters.',
    categories: 'Listed under content.',
    'external-links': 'Links to https://docs.acme.dev/weather.',
    icon: 'icon.png: png, 512 x 512, 0.3 KB.',
    'preview-images': 'preview.png: 1600 x 800, 1.3 KB.',
    'internal-scope': 'Scopes: space:content:read.',
    script: 'src/index.tsx builds to n KB. Largest: own code n KB.',
    'web-apis': 'Checked 1 source. Packages in node_modules are not checked.',
    'outside-source': 'All source files are in the project folder or in installed packages.',
    start: 'The script starts within a second.',
    'default-export': 'The default export handles requests.',
    'missing-component': 'The script has weather, screen.',
    render: 'Rendered: weather, screen.',
    'unknown-markup': 'Checked the first render of weather, screen.',
    workerd: 'workerd is not installed: npm install --save-dev workerd@1.20261023.1',
    settings: 'With place, oauth_credentials set, the installation is active.',
    endpoints: '/places responds with 200, /oauth responds with 302.',
    'event-scope': 'The script handles space_content_updated.',
    'unused-scope': 'Every scope seems to be used.',
    'secret-use': 'Declared: CLIENT_ID.',
    'leaked-secret': 'Checked 5 files.',
    'breaking-change': 'Nothing to compare with. To compare with a folder or commit, use --against.',
    'unique-name': 'Only the marketplace can check whether the name weather is taken.',
    behaviour: 'Only a person can check whether the integration does what its page promises.',
  });
});

test('reports the same result in two runs on the same project', async () => {
  await using fixture = await createProject();
  const [one, two] = [await check(fixture), await check(fixture)];
  expect(JSON.stringify([two.report, two.checks])).toBe(JSON.stringify([one.report, one.checks]));
});
