import { expect, test } from 'vitest';
import { check, createProject, manifest } from './support.js';

test('what is more than a UTF-16 unit is one character', async () => {
  await using fixture = await createProject({
    'platform-manifest.yaml': manifest.replace('readers see its weather.', 'see it: ☀️🌦🌧.'),
  });
  const { checks } = await check(fixture);
  expect(checks.find(({ id }) => id === 'publish/summary')?.evidence).toBe(
    'It has 50 of at most 2048 characters.',
  );
});

test('a good project passes everything that can be told', async () => {
  await using fixture = await createProject();
  const { report, checks } = await check(fixture);
  expect(report.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(report.ok).toBe(true);
  expect(checks.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => [id, verdict])).toEqual([
    ['publish/unique-name', 'needs-person'],
    ['publish/behaviour', 'needs-person'],
  ]);
  // The SDK grows and shrinks, and the script with it.
  const seen = checks.map(({ evidence }) => evidence.replaceAll(/(builds to|own code) [\d.]+/g, '$1 n'));
  expect(seen).toMatchInlineSnapshot(`
    [
      "It fits its schema and its rules.",
      "It is called weather, "Weather".",
      "It belongs to acme.",
      "It is public.",
      "It has 66 characters.",
      "It has 61 of at most 2048 characters.",
      "It is listed under content.",
      "It links to https://docs.acme.dev/weather.",
      "icon.png: png, 512 x 512, 0.3 KB.",
      "preview.png: 1600 x 800, 1.3 KB.",
      "It asks for space:content:read.",
      "src/index.tsx builds to n KB. Heaviest: own code n KB.",
      "It imports no module of Node.",
      "No source lies outside the folder.",
      "It starts within a second.",
      "The default export answers requests.",
      "The script has weather, screen.",
      "Drawn: weather, screen.",
      "With place, oauth_credentials filled in, the installation is active.",
      "/places answers 200, /oauth answers 302.",
      "It handles space_content_updated.",
      "Each scope seems to be used.",
      "It declares CLIENT_ID.",
      "None in 5 files.",
      "It was compared with nothing (--against).",
      "Only the platform knows whether another integration is called weather.",
      "What it is good for, and how it gets on with others, is for people to judge.",
    ]
  `);
});

test('two looks at the same project say the same', async () => {
  await using fixture = await createProject();
  const [one, two] = [await check(fixture), await check(fixture)];
  expect(JSON.stringify([two.report, two.checks])).toBe(JSON.stringify([one.report, one.checks]));
});
