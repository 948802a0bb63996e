import type { Integration } from '../../../src/protocol/integration.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { createSample, integration, type Sample } from '../emulator-under-test.js';

export const configured: Integration = {
  ...integration,
  visibility: 'unlisted',
  secrets: { KEY: 'canary-secret' },
  blocks: [{ id: 'counter', title: 'Counter', urlUnfurl: [] }],
  configurations: {
    account: {
      properties: {
        key: { type: 'string', title: 'Key' },
        team: { type: 'string', completion_url: '/teams' },
        retries: { type: 'number' },
      },
      required: ['key'],
    },
    site: { properties: { colour: { type: 'string' } }, required: [] },
  },
};

const quiet = async (): Promise<void> => {};
const script = createIntegration({
  async fetch(request, { environment }) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/teams'))
      return Response.json({ options: ['a', { id: 'b', label: searchParams.get('q') }] });
    if (pathname.endsWith('/paged')) {
      const icon = { type: 'image', source: { url: 'https://x.test/a.png' }, aspectRatio: 1 };
      const [chosen, other] = ['chosen', 'other'].map((id) => ({ id, label: id }));
      return Response.json({ items: [{ ...other, icon }, chosen], nextPage: 2, selected: [chosen] });
    }
    if (pathname.endsWith('/bad')) return Response.json({ teams: [] });
    if (pathname.endsWith('/refused')) return Response.json({ error: 'Connect first.' }, { status: 401 });
    if (pathname.endsWith('/page')) return new Response('<h1>Error</h1>', { status: 500 });
    return Response.json({ version: environment.integration.version, got: await request.text() });
  },
  events: {
    installation_setup: quiet,
    space_installation_setup: quiet,
    site_installation_setup: quiet,
    site_view: quiet,
  },
});

export async function createControlled(options: Parameters<typeof createSample>[1] = {}): Promise<Sample> {
  const sample = createSample(script, { integration: configured, ...options });
  await sample.emulator.start();
  return sample;
}
