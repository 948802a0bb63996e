import { expect, test } from 'vitest';
import { renderInstallations } from '../../../src/cli/session/render-installations.js';
import { createStyle } from '../../../src/terminal/style.js';

test('the states of spaces and sites stand below one another', () => {
  const installation = {
    id: 'inst_1',
    organization: 'org_a',
    status: 'pending',
    urls: { publicEndpoint: 'http://127.0.0.1:4100/a' },
    spaces: [{ space: 'space_handbook', status: 'active' }],
    sites: [{ site: 'site_a', status: 'pending' }],
  };
  expect(renderInstallations([installation], createStyle(false)).split('\n')).toEqual([
    'inst_1  pending  in org_a',
    '  http://127.0.0.1:4100/a',
    '  space_handbook  active',
    '  site_a          pending',
  ]);
});

test('nowhere: it says how to install it', () => {
  expect(renderInstallations([], createStyle(false))).toBe(
    'It is installed nowhere. Install it with: platform install',
  );
});
