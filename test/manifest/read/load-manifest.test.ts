import { symlinkSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { expect, it } from 'vitest';
import { loadManifest, parseManifest } from '../../../src/manifest/index.js';

const good = `name: ticket-links
title: Ticket links
description: Turns links to tickets into cards.
organization: acme
visibility: private
scopes:
  - space:content:read
script: ./src/index.ts
secrets:
  CLIENT_ID: \${{ env.TICKETS_CLIENT_ID }}
  CLIENT_SECRET: \${{ env.TICKETS_CLIENT_SECRET }}
`;

it('does not quote a file reached through a symlink that leads outside the project', async () => {
  await using fixture = await createFixture({
    'private.yaml': 'oauth_token: canary-1234',
    'project/other.yaml': good,
    'project/src/index.ts': '',
  });
  const file = fixture.getPath('project/platform-manifest.yaml');
  symlinkSync('../private.yaml', file);
  const { diagnostics, ...rest } = loadManifest({ file, env: {} });
  expect(diagnostics).toMatchObject([{ code: 'manifest/unreadable' }]);
  expect(JSON.stringify([diagnostics, rest])).not.toContain('canary-1234');

  const inside = fixture.getPath('project/linked.yaml');
  symlinkSync('other.yaml', inside);
  expect(loadManifest({ file: inside, env: {} }).ok).toBe(true);
});

it('loads a valid manifest, and prefers secrets from the environment to those in .env', async () => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': good,
    'src/index.ts': '',
    '.env': 'TICKETS_CLIENT_ID=from-file\nTICKETS_CLIENT_SECRET="two words"\n',
  });
  const file = fixture.getPath('platform-manifest.yaml');
  const loaded = loadManifest({ file, env: { TICKETS_CLIENT_ID: 'from-environment' } });
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.ok && loaded.value).toEqual({
    file,
    folder: fixture.path.replace(/[/\\]$/, ''),
    text: good,
    integration: {
      name: 'ticket-links',
      title: 'Ticket links',
      description: 'Turns links to tickets into cards.',
      organization: 'acme',
      visibility: 'private',
      scopes: ['space:content:read'],
      script: 'src/index.ts',
      previewImages: [],
      categories: [],
      blocks: [],
      externalLinks: [],
      configurations: {},
      secrets: { CLIENT_ID: 'from-environment', CLIENT_SECRET: 'two words' },
      target: 'all',
      contentSources: [],
    },
    secrets: [
      { name: 'CLIENT_ID', variable: 'TICKETS_CLIENT_ID', isSet: true },
      { name: 'CLIENT_SECRET', variable: 'TICKETS_CLIENT_SECRET', isSet: true },
    ],
  });
});

it('reads the value of a secret unchanged', async () => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': good,
    'src/index.ts': '',
    '.env': "TICKETS_CLIENT_SECRET='${{ env.OTHER }} $OTHER'\n",
  });
  const file = fixture.getPath('platform-manifest.yaml');
  const env = { TICKETS_CLIENT_ID: '${{ env.OTHER }}', OTHER: 'expanded' };
  const loaded = loadManifest({ file, env });
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.ok && loaded.value.integration.secrets).toEqual({
    CLIENT_ID: '${{ env.OTHER }}',
    CLIENT_SECRET: '${{ env.OTHER }} $OTHER',
  });
});

it('reports all unset secrets in one warning', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': good, 'src/index.ts': '' });
  const { diagnostics } = loadManifest({ file: fixture.getPath('platform-manifest.yaml'), env: {} });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'The environment variables of 2 secrets are not set: TICKETS_CLIENT_ID and TICKETS_CLIENT_SECRET.',
  ]);
});

it('ignores inherited properties of the environment object', async () => {
  await using fixture = await createFixture({
    'platform-manifest.yaml': good.replace('TICKETS_CLIENT_ID', 'constructor'),
    'src/index.ts': '',
  });
  const file = fixture.getPath('platform-manifest.yaml');
  const loaded = loadManifest({ file, env: { TICKETS_CLIENT_SECRET: 'secret' } });
  expect(loaded.diagnostics.map(({ code }) => code)).toEqual(['manifest/unset-secret']);
  expect(loaded.ok && loaded.value.integration.secrets).toEqual({ CLIENT_SECRET: 'secret' });
});

it.each([
  ['a link out of the folder', 'elsewhere.ts', './src/linked.ts', ['manifest/path-outside']],
  ['a link inside the folder', 'project/own.ts', './src/linked.ts', []],
  ['a linked folder outside the project', 'shared/index.ts', './lib/index.ts', ['manifest/path-outside']],
])('checks where %s leads', async (_, target, script, codes) => {
  await using fixture = await createFixture({
    [target]: '',
    'shared/index.ts': '',
    'project/platform-manifest.yaml': good.replace('./src/index.ts', script),
    'project/src/index.ts': '',
  });
  symlinkSync(fixture.getPath(target), fixture.getPath('project/src/linked.ts'));
  symlinkSync(fixture.getPath('shared'), fixture.getPath('project/lib'));
  const env = { TICKETS_CLIENT_ID: 'id', TICKETS_CLIENT_SECRET: 'secret' };
  const loaded = loadManifest({ file: fixture.getPath('project/platform-manifest.yaml'), env });
  expect(loaded.diagnostics.map(({ code }) => code)).toEqual(codes);
});

it('reports that the manifest does not exist', () => {
  const { ok, diagnostics } = loadManifest({ file: '/nowhere/platform-manifest.yaml' });
  expect(ok).toBe(false);
  expect(diagnostics.map(({ code }) => code)).toEqual(['manifest/unreadable']);
});

it('checks only the given manifest text', () => {
  expect(parseManifest(good)).toMatchObject({ ok: true, diagnostics: [] });
});
