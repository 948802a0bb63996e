import { expect, test } from 'vitest';
import type { InstallationResource } from '../../../src/contract/routes/installations.js';
import { renderInstallations } from '../../../src/cli/session/render-installations.js';
import { createStyle } from '../../../src/terminal/style.js';

test('aligns the installation states of all spaces and sites in a column', () => {
  const urls = { publicEndpoint: 'http://127.0.0.1:4100/a', publicContentEndpoint: '', app: '' };
  const unset = { configuration: {}, externalIds: [], problems: [] };
  const part = { installation: 'inst_1', integration: 'sample', urls, ...unset };
  const installation: InstallationResource = {
    id: 'inst_1',
    organization: 'org_a',
    status: 'pending',
    createdAt: 0,
    target: 'all',
    space_selection: 'selected',
    urls,
    ...unset,
    spaces: [{ ...part, space: 'space_handbook', status: 'active' }],
    sites: [{ ...part, site: 'site_a', status: 'pending' }],
  };
  expect(renderInstallations([installation], createStyle(false)).split('\n')).toEqual([
    'inst_1  pending  in org_a',
    '  http://127.0.0.1:4100/a',
    '  space_handbook  active',
    '  site_a          pending',
  ]);
});

test('explains how to install an integration that is not installed', () => {
  expect(renderInstallations([], createStyle(false))).toBe(
    'Not installed. Install it with: platform install',
  );
});
