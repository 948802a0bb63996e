import { expect, test } from 'vitest';
import { findFaults, type FaultSearch } from '../../src/recordings/faults/try-faults.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { replayProgram } from '../support/child-program.js';
import { handlers, type Handler } from './faulty-handlers.js';
import { proved } from '../support/proved.js';
import { integration, sampleRecording } from '../recordings/sample-recording.js';

async function search({ code, call }: Pick<Handler, 'code' | 'call'>, only?: string): Promise<FaultSearch> {
  const run = replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' });
  return findFaults({
    recording: sampleRecording(call),
    integration,
    script: {
      code: `export default { async fetch(request, env, context) {
        const form = await request.formData();
        const event = JSON.parse(form.get('event')); const environment = JSON.parse(form.get('environment'));
        try {
          ${code}
        } catch (error) {
          console.error('[integrations]', error);
          return new Response('Internal error', { status: 500 });
        }
      } };`,
    },
    run,
    only,
  });
}

test.each(proved(handlers, 2).map((handler) => [handler.name, handler] as const))(
  'reports the expected problems in a handler that %s',
  async (_, { breaks, ...handler }) => {
    const { found, variants, skipped } = await search(handler);
    expect(skipped).toEqual([]);
    expect(variants).toBeGreaterThan(3);
    expect([...new Set(found.map(({ rule }) => rule))]).toEqual(breaks);
  },
);

test('repeats a single variant of a call, and explains in the report what failed', async () => {
  const handler = handlers.find(({ name }) => name === 'ignores the response status (faulty)');
  const all = await search(handler!);
  expect(all.found).toMatchObject([
    {
      rule: 'lost-change',
      variant: '1.1.429.once',
      fault: 'POST https://api.example/messages responds with 429',
      count: 4,
    },
  ]);
  const { found, variants } = await search(handler!, '1.1.429.on');
  expect(variants).toBe(1);
  expect(found).toMatchObject([{ rule: 'lost-change', variant: '1.1.429.on', count: 1 }]);
});

test('skips a call that no longer behaves as recorded', async () => {
  const { found, variants, skipped } = await search({
    code: `return new Response('new');`,
    call: { response: { status: 200, body: 'old' } },
  });
  expect([found, variants, skipped]).toEqual([[], 0, ['space_view']]);
});
