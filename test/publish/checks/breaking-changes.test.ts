import type { FsFixture } from 'fs-fixture';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packSubmission } from '../../../src/publish/index.js';
import { writeTar } from '../../../src/publish/packed/tar-headers.js';
import { versionStep } from '../../../src/publish/checks/breaking-changes.js';
import { check, createProject, manifest } from '../project-under-check.js';

/** The `v1` baseline: a folder next to the project. */
async function former(fixture: FsFixture, version: string, edit: (manifest: string) => string) {
  await fixture.mkdir('v1');
  await fixture.writeFile('v1/platform-manifest.yaml', edit(manifest));
  await fixture.writeFile('v1/package.json', JSON.stringify({ version }));
  return { against: 'v1' };
}

const edits: [what: string, edit: (manifest: string) => string, message: string][] = [
  ['a different name', (text) => text.replace('name: weather\n', 'name: clouds\n'), 'The name was clouds.'],
  [
    'a new scope',
    (text) => text.replace('  - space:content:read\n', '  - space:metadata:read\n'),
    'The scope space:content:read is new.',
  ],
  [
    'a removed block',
    (text) =>
      text.replace('blocks:\n', 'blocks:\n  - id: wind\n    title: Wind\n    description: The wind.\n'),
    'The block wind was removed.',
  ],
  [
    'a removed property',
    (text) => text.replace('    properties:\n', '    properties:\n      unit: { type: string }\n'),
    'The property unit of configurations.account was removed.',
  ],
  [
    'a property that is now required',
    (text) => text.replace('      - place\n', ''),
    'The property place of configurations.account is now required.',
  ],
  [
    'a property with a different type',
    (text) =>
      text.replace(
        'type: string\n        title: Place\n        completion_url: /places',
        'type: number\n        title: Place',
      ),
    'The property place of configurations.account was a number.',
  ],
  [
    'a removed link pattern',
    (text) =>
      text.replace(
        '    title: Weather\n    desc',
        "    urlUnfurl: ['https://weather.acme.dev/*']\n    title: Weather\n    desc",
      ),
    'The block weather no longer unfurls https://weather.acme.dev/*.',
  ],
];

test.each(edits)('requires a new major version for %s', async (_, edit, message) => {
  await using fixture = await createProject();
  const lesser = await check(fixture, await former(fixture, '1.1.0', edit));
  expect(lesser.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
    'publish/breaking-change',
  ]);
  const [finding] = lesser.report.diagnostics.filter(({ code }) => code === 'publish/breaking-change');
  expect(finding?.message).toBe(`${message} This needs a new major version (package.json: 1.1.0 to 1.2.0).`);
  const major = await check(fixture, await former(fixture, '0.9.0', edit));
  expect(major.report.ok).toBe(true);
});

const withUnit = (field: string): string =>
  manifest.replace(
    '    properties:\n',
    `    properties:\n      unit: { type: string, title: U, ${field} }\n`,
  );

test.each([
  ['fewer choices', 'enum: [km, mile, foot]', 'no longer allows "mile", "foot"'],
  ['a choice list instead of any string', 'description: A unit.', 'allowed any string'],
])('requires a new major version if a property accepts fewer values: %s', async (_, field, message) => {
  await using fixture = await createProject({ 'platform-manifest.yaml': withUnit('enum: [km, m]') });
  const { report } = await check(fixture, await former(fixture, '1.1.0', () => withUnit(field)));
  expect(report.diagnostics.filter(({ code }) => code === 'publish/breaking-change')).toMatchObject([
    {
      message: `The property unit of configurations.account ${message}. This needs a new major version (package.json: 1.1.0 to 1.2.0).`,
    },
  ]);
});

test('treats additional choices for a property as compatible', async () => {
  await using fixture = await createProject({ 'platform-manifest.yaml': withUnit('enum: [km, m]') });
  const { checks } = await check(fixture, await former(fixture, '1.1.0', () => withUnit('enum: [km]')));
  expect(checks.find(({ id }) => id === 'publish/breaking-change')?.verdict).toBe('pass');
});

test('reports a breaking change if the version number is unchanged', async () => {
  await using fixture = await createProject();
  const edit = (text: string): string => text.replace('name: weather\n', 'name: clouds\n');
  const { report } = await check(fixture, await former(fixture, '1.2.0', edit));
  expect(report.diagnostics.find(({ code }) => code === 'publish/breaking-change')?.message).toBe(
    'The name was clouds. This needs a new major version (package.json: still 1.2.0).',
  );
});

test('requires a new minor version for a breaking change in a project below 1.0.0', async () => {
  const edit = (text: string): string => text.replace('name: weather\n', 'name: clouds\n');
  await using same = await createProject({ 'package.json': '{ "version": "0.1.0" }' });
  const { report } = await check(same, await former(same, '0.1.0', edit));
  expect(report.diagnostics.find(({ code }) => code === 'publish/breaking-change')).toMatchObject({
    message: 'The name was clouds. This needs a new minor version (package.json: still 0.1.0).',
    help: 'Raise the minor version, or undo the change.',
  });
  await using raised = await createProject({ 'package.json': '{ "version": "0.2.0" }' });
  const { checks } = await check(raised, await former(raised, '0.1.0', edit));
  expect(checks.find(({ id }) => id === 'publish/breaking-change')).toMatchObject({
    verdict: 'pass',
    evidence:
      'The name was clouds. The minor version was raised (0.1.0 to 0.2.0), which is enough below 1.0.0.',
  });
});

test('does not ask for a new version if a new required property has a default', async () => {
  const required = (field: string): string =>
    withUnit(field).replace('    required:\n', '    required:\n      - unit\n');
  const breaks = async (field: string): Promise<unknown> => {
    await using fixture = await createProject({ 'platform-manifest.yaml': required(field) });
    const { checks } = await check(fixture, await former(fixture, '1.1.0', () => manifest));
    return checks.find(({ id }) => id === 'publish/breaking-change')?.verdict;
  };
  expect(await breaks('default: km')).toBe('pass');
  expect(await breaks("default: ''")).toBe('fail');
  expect(await breaks('description: A unit.')).toBe('fail');
});

test('reports a narrower visibility as a breaking change for users', async () => {
  await using fixture = await createProject({
    'platform-manifest.yaml': manifest.replace('visibility: public', 'visibility: unlisted'),
  });
  const { checks } = await check(fixture, { target: 'link', ...(await former(fixture, '1.1.0', (a) => a)) });
  expect(checks.find(({ id }) => id === 'publish/breaking-change')).toMatchObject({
    verdict: 'fail',
    evidence: '1 breaking change since v1.',
  });
});

test('asks the author to add a version if the project has none', async () => {
  await using fixture = await createProject({ 'package.json': '{ "name": "weather" }' });
  const edit = (text: string): string => text.replace('name: weather\n', 'name: clouds\n');
  const { report } = await check(fixture, await former(fixture, '1.1.0', edit));
  expect(report.diagnostics.find(({ code }) => code === 'publish/breaking-change')).toMatchObject({
    message: 'The name was clouds. This needs a new major version (package.json has no version).',
    help: 'Add a version to package.json, or undo the change.',
  });
});

test('requests a manual review of the new version if the baseline has no version', async () => {
  await using fixture = await createProject({
    '../old/platform-manifest.yaml': manifest.replace('name: weather\n', 'name: clouds\n'),
  });
  const { report, checks } = await check(fixture, { against: 'old' });
  expect(report.ok).toBe(true);
  expect(checks.find(({ id }) => id === 'publish/breaking-change')).toMatchObject({
    verdict: 'review',
    evidence: 'The name was clouds.',
    help: 'Breaking changes need a new major version. old has no version, so check that 1.2.0 is a new major version.',
  });
});

test('treats additions as compatible', async () => {
  await using fixture = await createProject();
  const grown = await former(fixture, '1.2.0', (text) =>
    text.replace(/blocks:[\s\S]*?configurations/, 'configurations'),
  );
  const { checks } = await check(fixture, grown);
  expect(checks.find(({ id }) => id === 'publish/breaking-change')).toMatchObject({
    verdict: 'pass',
    evidence: 'No breaking changes since v1.',
  });
});

test('compares with a folder as the baseline', async () => {
  await using fixture = await createProject({ '../old/platform-manifest.yaml': manifest });
  const { report } = await check(fixture, { against: 'old' });
  expect(report.ok).toBe(true);
  await expect(check(fixture, { against: 'nowhere' })).rejects.toMatchObject({ code: 'no-former' });
});

test('compares with a packed submission as the baseline', async () => {
  await using fixture = await createProject();
  writeFileSync(fixture.getPath('v1.tgz'), packSubmission(await check(fixture)).archive);
  const changeSince = async (against: string) =>
    (await check(fixture, { against })).checks.find(({ id }) => id === 'publish/breaking-change');
  expect(await changeSince('v1.tgz')).toMatchObject({ verdict: 'pass' });
  const clouds = manifest.replace('name: weather\n', 'name: clouds\n');
  const files = [{ path: 'platform-manifest.yaml', bytes: Buffer.from(clouds) }];
  writeFileSync(fixture.getPath('v0.tgz'), gzipSync(writeTar(files)));
  expect(await changeSince('v0.tgz')).toMatchObject({ verdict: 'review', evidence: 'The name was clouds.' });
  await fixture.writeFile('notes.txt', 'not a pack');
  await expect(check(fixture, { against: 'notes.txt' })).rejects.toMatchObject({ code: 'bad-pack' });
});

test.each([
  ['1.2.3', '2.0.0', 'major'],
  ['1.2.3', '1.3.0', 'lesser'],
  ['1.2.3', '1.2.3', 'lesser'],
  ['0.2.3', '0.3.0', 'major'],
  ['0.2.3', '0.2.4', 'lesser'],
  ['0.2.3', '1.0.0', 'major'],
  ['2.0.0', '1.0.0', 'lesser'],
  [undefined, '1.0.0', 'unknown'],
  ['1.0.0', 'next', 'unknown'],
] as const)('classifies the version change from %s to %s as %s', (before, after, step) => {
  expect(versionStep(before, after)).toBe(step);
});
