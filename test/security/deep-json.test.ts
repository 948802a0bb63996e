import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';

const depth = 200_000;
const deep = `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`;

const script = `import { createIntegration } from 'integration-platform';
  const markup = '{"type":"box","children":['.repeat(50_000) + ']}'.repeat(50_000);
  export default createIntegration({
    components: [{ componentId: 'deep', render: async () => ({}) }],
    fetch: (request, { environment }) => new Response(request.url.endsWith('/token')
      ? environment.apiTokens.installation
      : '{"type":"element","element":' + markup + '}'),
  });`;

let platform: DevPlatform;
beforeAll(async () => {
  platform = await startDevPlatform('console', ['--state', 'memory'], async (folder) =>
    writeFileSync(join(folder, 'src/index.tsx'), script),
  );
}, 60_000);
afterAll(() => platform.close());

async function statuses(routes: [method: string, url: string][], headers: Record<string, string>) {
  const seen: [route: string, status: number][] = [];
  for (const [method, url] of routes) {
    const response = await fetch(url, { method, headers, body: deep });
    await response.text();
    seen.push([`${method} ${new URL(url).pathname}`, response.status]);
  }
  return seen;
}

test('rejects JSON nested 200,000 levels deep on every route that reads JSON', async () => {
  const token = await (await fetch(`${platform.endpoint}/token`)).text();
  const name = new URL(platform.endpoint).pathname.split('/')[3] ?? '';
  const api = `${platform.origin}/api/v1/integrations/${name}`;
  const one = `${api}/installations/installation_1`;
  const ofApi = await statuses(
    [
      ['PATCH', one],
      ['PATCH', `${one}/spaces/space_local`],
      ['PATCH', `${one}/sites/site_local`],
      ['POST', `${api}/tasks`],
    ],
    { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  );

  const { paths } = await platform.api<{ paths: Record<string, Record<string, { requestBody?: unknown }>> }>(
    'GET',
    '/openapi.json',
  );
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]): [string, string] => [
        method.toUpperCase(),
        `${platform.consoleOrigin}${path.startsWith('/console') ? '' : '/console/api'}${path.replaceAll(/\{\w+\}/g, 'x')}`,
      ]),
  );
  const key = { 'X-Platform-Token': platform.key, 'Content-Type': 'application/json' };
  const ofConsole = await statuses(routes, key);

  const form = `${platform.consoleOrigin}/oauth/token`;
  const [[, ofTokens] = ['', 0]] = await statuses([['POST', form]], { 'Content-Type': 'application/json' });
  const all = [...ofApi, ...ofConsole];
  console.log(
    `JSON of ${depth} levels: ${all.filter(([, status]) => status === 400).length} of ${all.length} routes respond with 400, the token endpoint with ${ofTokens}`,
  );
  expect(all.filter(([, status]) => status !== 400)).toEqual([]);
  expect(routes.length).toBeGreaterThanOrEqual(10);
  expect(ofTokens).toBe(401);
  expect((await fetch(`${platform.origin}/healthz`)).status).toBe(200);
}, 60_000);
