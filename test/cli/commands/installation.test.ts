import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';

const integration = { ...project, visibility: 'unlisted' as const, configurations: {} };

let session: OpenSession;
beforeEach(async () => {
  session = await openSession(script, { integration });
});
afterEach(() => session.close());

const statusOf = async (): Promise<unknown> => {
  const { json } = await session.cli(['pause', '--json']);
  return (json['installations'] as { status: string }[])[0]?.status;
};

test('sends no events to a paused installation until it is resumed', async () => {
  const paused = await session.cli(['pause']);
  expect([paused.code, paused.stdout]).toEqual([0, expect.stringContaining('installation_1  paused')]);
  const refused = await session.cli(['trigger', 'site_view']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Resume it with: platform resume'),
  ]);
  const resumed = await session.cli(['resume', '--json']);
  expect([resumed.code, resumed.json]).toMatchObject([
    0,
    { version: 1, installations: [{ status: 'active' }] },
  ]);
  expect((await session.cli(['trigger', 'site_view'])).code).toBe(0);
});

test('removes an installation from a site, adds it again, then uninstalls it', async () => {
  const out = await session.cli(['uninstall', '--site', 'site_local', '--json']);
  expect([out.code, out.json]).toMatchObject([
    0,
    {
      installations: [{ sites: [], spaces: [{}] }],
      removed: [{ what: 'its configuration', names: [] }, { what: 'its public endpoint' }],
    },
  ]);
  const back = await session.cli(['install', '--site', 'site_local']);
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('  site_local   active')]);
  expect(session.types().at(-1)).toBe('site_installation_setup');

  const gone = await session.cli(['uninstall']);
  expect([gone.code, gone.stdout]).toEqual([
    0,
    `Uninstalled installation_1. This also removed:
  its configuration
  its public endpoint
  1 site: Local site
  1 space: Local space
Not installed. Install it with: platform install
`,
  ]);
  const none = await session.cli(['trigger', 'site_view']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Install it with: platform install')]);
  for (const verb of ['pause', 'resume', 'uninstall']) {
    const { code, stderr } = await session.cli([verb]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('platform install')]);
  }
  const again = await session.cli(['install']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('installation_2  active')]);
});

test('lets other organizations install an unlisted integration only through its link', async () => {
  const argv = ['install', '--organization', 'org_other'];
  const refused = await session.cli(argv);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Print the link with: platform install --link'),
  ]);
  const { stdout } = await session.cli(['install', '--link']);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/install\?link=link_\S+\n$/);
  const { code, json } = await session.cli([...argv, '--link', stdout.trim(), '--json']);
  expect([code, json]).toMatchObject([0, { installations: [{ organization: 'org_other' }] }]);
});

test.each<[argv: string[], message: string, hint: string]>([
  [
    ['install'],
    'The integration is already installed in org_local, as installation_1.',
    'platform uninstall',
  ],
  [
    ['install', '--site', 'site_local'],
    'The integration is already installed in the site site_local.',
    'platform uninstall',
  ],
  [['install', '--space', 'space_lokal'], 'Unknown space: space_lokal', 'Did you mean space_local?'],
  [['install', '--organization', 'org'], 'Unknown organization: org.', 'Choose one of org_local, org_other.'],
  [['pause', '--installation', 'installation_9'], 'Unknown installation', 'Did you mean installation_1?'],
  [['resume', '--installation', 'x'], 'Unknown installation: x.', 'Choose one of installation_1.'],
  [['uninstall', '--site', 'site_lokal'], 'not installed in the site', 'Did you mean site_local?'],
  [['pause', '--site', 'site_local'], "Unknown option '--site'", ''],
])('the command %j fails and suggests the next step', async (argv, message, hint) => {
  const { code, stdout, stderr } = await session.cli(argv);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect((await session.cli([...argv, '--json'])).json).toMatchObject({ version: 1, error: {} });
  expect(await statusOf()).toBe('paused');
});
