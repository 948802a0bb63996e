import { expect, it } from 'vitest';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { startSample } from '../emulator-under-test.js';

const quiet = async (): Promise<void> => {};
const script = createIntegration({
  fetch_published_script: async (event) => new Response(`/* ${event.siteId} */`),
  fetch_visitor_authentication: async (event) =>
    Response.redirect(`https://login.example.com${event.location}`, 302),
  events: { installation_setup: quiet, space_installation_setup: quiet, site_installation_setup: quiet },
});

const base = '/content/integrations/sample/installations/installation_1';

it.each([
  [`${base}/sites/site_local/script.js`, 200],
  [`${base}/sites/site_local/visitor-auth?location=/private`, 302],
  [`${base}/spaces/space_local/script.js`, 200],
  [`${base}/script.js`, 404],
  [`${base}/sites/site_local/other`, 404],
  [`${base}/sites/nowhere/script.js`, 404],
  ['/content/integrations/other/sites/site_local/script.js', 404],
])("serves published content only for the integration's targets: %s: %i", async (path, status) => {
  const { get } = await startSample(script);
  expect((await get(path)).status).toBe(status);
});

it('requests published content from the script with its target and purpose', async () => {
  const { get, calls } = await startSample(script);
  const response = await get(`${base}/sites/site_local/visitor-auth?location=/private`);
  expect(response.headers.get('location')).toBe('https://login.example.com/private');
  expect(calls.at(-1)?.event).toMatchObject({
    type: 'fetch_visitor_authentication',
    installationId: 'installation_1',
    siteId: 'site_local',
    location: '/private',
  });
  expect(await (await get(`${base}/sites/site_local/script.js`)).text()).toBe('/* site_local */');
});

it('explains a sign-in that the script does not handle, on a page and as a warning', async () => {
  const { get, emulator } = await startSample(createIntegration({}));
  const warnings: unknown[] = [];
  emulator.subscribe((event) => event.type === 'warning' && warnings.push(event.code));
  const response = await get(`${base}/sites/site_local/visitor-auth?location=/private`);
  expect([response.status, response.headers.get('content-type')]).toEqual([501, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain(
    'the script does not handle <code>fetch_visitor_authentication</code>',
  );
  expect(warnings).toEqual(['no-sign-in']);
});
