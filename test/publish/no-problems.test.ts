import { expect, test } from 'vitest';
import { check, createProject, manifest } from './project-under-check.js';

test('a character outside the BMP counts as one', async () => {
  await using fixture = await createProject({
    'platform-manifest.yaml': manifest.replace('readers see its weather.', 'see it: ☀️🌦🌧.'),
  });
  const { checks } = await check(fixture);
  expect(checks.find(({ id }) => id === 'publish/summary')?.evidence).toBe('50 of at most 2048 characters.');
});

test('a good project passes everything that a check can decide', async () => {
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
  const seen = checks.map(({ evidence }) => evidence.replaceAll(/(builds to|own code) [\d.]+/g, '$1 n'));
  expect(seen).toMatchInlineSnapshot(`
    [
      "The manifest is valid.",
      "weather, "Weather".",
      "Belongs to acme.",
      "The visibility is public.",
      "66 characters.",
      "61 of at most 2048 characters.",
      "Listed under content.",
      "Links to https://docs.acme.dev/weather.",
      "icon.png: png, 512 x 512, 0.3 KB.",
      "preview.png: 1600 x 800, 1.3 KB.",
      "Scopes: space:content:read.",
      "src/index.tsx builds to n KB. Largest: own code n KB.",
      "Checked 1 source. Packages in node_modules are not checked.",
      "All sources are in the folder or in packages.",
      "The script starts within a second.",
      "The default export handles requests.",
      "The script has weather, screen.",
      "Rendered: weather, screen.",
      "Checked the first render of weather, screen.",
      "workerd is not installed: npm install --save-dev workerd@1.20261023.1",
      "With place, oauth_credentials set, the installation is active.",
      "/places responds with 200, /oauth responds with 302.",
      "The script handles space_content_updated.",
      "Every scope seems to be used.",
      "Declared: CLIENT_ID.",
      "Checked 5 files.",
      "Nothing to compare with. To compare with a folder or commit, use --against.",
      "Only the marketplace knows whether the name weather is taken.",
      "Only a person can check whether the integration does what its page promises.",
    ]
  `);
});

test('two runs on the same project have the same result', async () => {
  await using fixture = await createProject();
  const [one, two] = [await check(fixture), await check(fixture)];
  expect(JSON.stringify([two.report, two.checks])).toBe(JSON.stringify([one.report, one.checks]));
});
