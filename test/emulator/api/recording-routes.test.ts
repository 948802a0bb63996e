import { expect, it } from 'vitest';
import { UserError } from '../../../src/base/user-error.js';
import type { LoggedCall } from '../../../src/emulator/index.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { startSample, type Sample } from '../emulator-under-test.js';

const script = createIntegration({
  async fetch(request) {
    const body = await request.text();
    const answer = await fetch('https://outside.example/items', { method: 'POST', body });
    return new Response(await answer.text());
  },
});

interface Recording {
  sample: Sample;
  given: { calls: readonly LoggedCall[]; options: object }[];
  request(body: string): Promise<string>;
}

async function start(failure?: Error): Promise<Recording> {
  const given: Recording['given'] = [];
  const sample = await startSample(script, {
    outside: async (request) => Response.json({ got: await request.text() }),
    record: async (calls, options) => {
      given.push({ calls, options });
      if (failure) throw failure;
      return { file: 'recordings/a.json', calls: ['POST /'], facts: [] };
    },
  });
  return {
    sample,
    given,
    async request(body) {
      const path = '/v1/integrations/sample/installations/installation_1/';
      await (await sample.get(path, { method: 'POST', body })).text();
      const { body: lines } = await sample.control<{ id: string }[]>('GET', '/calls?type=fetch&limit=1');
      return lines[0]?.id ?? '';
    },
  };
}

it('records the chosen calls with their bodies and outbound requests', async () => {
  const { sample, given, request } = await start();
  const id = await request('sent');
  const options = { name: 'a', redact: ['event.x'], replace: true };
  const { status, body } = await sample.control('POST', '/recordings', { calls: [id], ...options });
  expect([status, body]).toEqual([200, { file: 'recordings/a.json', calls: ['POST /'], facts: [] }]);
  expect(given[0]?.options).toEqual(options);
  const [call] = given[0]?.calls ?? [];
  expect(call).toMatchObject({ id, event: { type: 'fetch' }, environment: { installation: {} } });
  expect(Buffer.from(call?.requestBody ?? []).toString()).toBe('sent');
  expect(call?.outbound).toMatchObject([
    {
      method: 'POST',
      url: 'https://outside.example/items',
      request: { body: { content: 'sent' } },
      response: { body: { content: '{"got":"sent"}' } },
    },
  ]);
});

it('reports why a recording was not written', async () => {
  const failure = new UserError('file-exists', 'recordings/a.json already exists.', 'Choose another name.');
  const { sample, request } = await start(failure);
  expect(await sample.control('POST', '/recordings', { calls: [await request('')] })).toEqual({
    status: 409,
    body: { error: 'recordings/a.json already exists.', code: 'file-exists', hint: 'Choose another name.' },
  });
});

it('rejects a request to record unknown calls or no calls, and a request without the key', async () => {
  const { sample, given } = await start();
  const unknown = await sample.control('POST', '/recordings', { calls: ['call_unknown'] });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'unknown-call' } });
  expect(await sample.control('POST', '/recordings', { calls: [] })).toMatchObject({ status: 400 });
  const withoutKey = await sample.get('/console/api/recordings', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ calls: ['call_unknown'] }),
  });
  expect(withoutKey.status).toBe(401);
  expect(given).toEqual([]);
});
