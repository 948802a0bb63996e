import { createComponent, createIntegration } from 'integration-platform';
import type { Integration } from '../../src/protocol/integration.js';
import { integration } from '../emulator/emulator-under-test.js';

export const project: Integration = {
  ...integration,
  blocks: [{ id: 'counter', title: 'Counter', urlUnfurl: ['https://counters.example.com/*'] }],
  configurations: {
    account: {
      properties: { channel: { type: 'string', completion_url: '/channels' }, limit: { type: 'number' } },
      required: ['channel'],
    },
  },
};

const counter = createComponent<{ start?: number }, { count: number }, { action: 'add' | 'fail' }>({
  componentId: 'counter',
  initialState: ({ start = 0 }) => ({ count: start }),
  async action(element, { action }) {
    if (action === 'fail') throw new Error('The component is broken.');
    return { state: { count: element.state.count + 1 } };
  },
  render: async ({ state }) => (
    <block>
      <button label={`Pressed ${state.count} times`} onPress={{ action: 'add' }} />
    </block>
  ),
});

/** Renders markup as it may occur in a script without type checks. */
const misspelled = createComponent({
  componentId: 'misspelled',
  render: async () => ({ type: 'block', children: [{ type: 'txet', children: ['a'] }], lable: 'b' }),
});

/** A value that tests change between a call and its replay. */
export const revision = { name: 'one' };

const quiet = async (): Promise<void> => {};

export const script = createIntegration({
  components: [counter, misspelled],
  async fetch(request, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (revision.name === 'broken') throw new Error('This code is broken.');
    if (pathname.endsWith('/tell')) {
      const headers = { authorization: 'Bearer of-the-receiver' };
      const body = 'news';
      await (await fetch(searchParams.get('to') ?? '', { method: 'POST', headers, body })).text();
      context.waitUntil(Promise.reject(new Error('No index.')));
    }
    if (pathname.endsWith('/channels')) return Response.json(['general', 'random']);
    if (pathname.endsWith('/redirect')) return Response.redirect('https://provider.example/authorize');
    if (pathname.endsWith('/late')) context.waitUntil(Promise.reject(new Error('No index.')));
    if (pathname.endsWith('/unreachable')) await fetch('http://127.0.0.1:1/').catch(() => {});
    if (pathname.endsWith('/boom')) throw new Error('boom in the handler');
    console.log(`asked for ${pathname.split('/').at(-1)}`);
    return Response.json({ revision: revision.name, got: await request.text() });
  },
  events: {
    installation_setup: quiet,
    space_installation_setup: quiet,
    site_installation_setup: quiet,
    async space_content_updated(event, context) {
      if (event.revisionId === 'late') context.waitUntil(Promise.reject(new Error('No index.')));
      if (event.revisionId === 'broken') throw new Error('This revision is broken.');
      console.log(`updated ${event.spaceId}`);
    },
    site_view: quiet,
  },
});
