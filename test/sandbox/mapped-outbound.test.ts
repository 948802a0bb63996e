import { expect, test } from 'vitest';
import { describeMappedOutbound } from './mapped-outbound-cases.js';
import { script } from './sample-call.js';
import { startSandbox } from './start-sandbox.js';

describeMappedOutbound(async () => undefined);

const ways = {
  dispatcher: `globalThis[Symbol.for('undici.globalDispatcher.1')].request({ origin: body, path: '/', method: 'GET' })`,
  socket: `new Promise((resolve, reject) => {
    const socket = new WebSocket(body.replace('http', 'ws'));
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('refused'));
  })`,
};

test.each(Object.entries(ways).filter(([id]) => id !== 'socket' || 'WebSocket' in globalThis))(
  'applies the outbound map to a request through a %s',
  async (_, way) => {
    const { sandbox, send, outbound } = await startSandbox({
      outbound: {
        reroutes: [],
        details: false,
        map: { hosts: { 'api.example': { status: 200 } }, rest: 'pass', spared: [] },
      },
    });
    await sandbox.load(
      script(
        `try { await ${way}; return new Response('sent') } catch (e) { return new Response(String(e)) }`,
      ),
    );
    expect((await send('http://api.example')).text).toMatch(/blocked/);
    await expect.poll(() => outbound).toHaveLength(1);
    expect(outbound[0]).toMatchObject({ refused: 'api.example' });
  },
);
