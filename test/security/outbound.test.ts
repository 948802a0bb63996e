import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

/** Ways of a script to reach another server. */
const ways = {
  fetch: 'fetch(there)',
  request: 'fetch(new Request(there, { method: "POST", body: "x" }))',
  redirect: 'fetch(environment.integration.urls.publicEndpoint + "/redirect")',
  dispatcher: `globalThis[Symbol.for('undici.globalDispatcher.1')].request({ origin: there, path: '/', method: 'GET' })`,
  socket: `new Promise((resolve, reject) => {
    const socket = new WebSocket(there.replace('http', 'ws'));
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('refused'));
  })`,
  name: 'fetch("https://api.sample.example/")',
};

test("sends none of the script's requests to other machines during publish-check", async () => {
  const visits: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    visits.push(url);
    response.end();
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    visits.push(url);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const tried = Object.entries(ways).filter(([id]) => id !== 'socket' || 'WebSocket' in globalThis);
  const parts = tried.map(
    ([id, way]) => `createComponent({ componentId: '${id}', async render(element, { environment }) {
      await ${way};
      return <block />;
    } })`,
  );
  writeFileSync(
    join(folder, 'index.tsx'),
    `// @ts-nocheck
import { createComponent, createIntegration } from 'integration-platform';
const there = 'http://127.0.0.1:${port}';
export default createIntegration({
  components: [${parts.join(', ')}],
  fetch: async () => new Response(null, { status: 302, headers: { location: there + '/redirected' } }),
});
`,
  );
  const blocks = tried.map(([id]) => `  - id: ${id}\n    title: A block\n    description: A block.\n`);
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    manifestText({
      name: 'outbound',
      more: `script: index.tsx
blocks:
${blocks.join('')}`,
    }),
  );
  const { stdout } = await runPlatform(['publish-check', '--json'], { cwd: folder });
  server.close();
  const { checks } = JSON.parse(stdout) as { checks: { id: string; verdict: string; help?: string }[] };
  const rendering = checks.find(({ id }) => id === 'publish/render');
  expect([visits, rendering?.verdict]).toEqual([[], 'review']);
  expect(rendering?.help).toContain(`Not rendered: ${tried.map(([id]) => id).join(', ')}. `);
  expect(rendering?.help).toContain(`127.0.0.1:${port}, api.sample.example, `);
  console.log(
    `outbound requests in publish-check: ${tried.length} of ${tried.length} ways refused, ${visits.length} requests arrived`,
  );
});
