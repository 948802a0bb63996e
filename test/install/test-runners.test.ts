import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newProject, runIn, vitest, writeRecipe } from '../support/author-project.js';
import { sharedFolder } from '../support/temporary-folder.js';

/** Installed by this suite alone: other runners, and the interceptor of `fetch` that most tests use. */
const packages = ['jest@30', '@jest/globals@30', '@oven/bun-linux-x64@1', 'msw@2'];
const tools = sharedFolder();
const bun = join(tools, 'node_modules/@oven/bun-linux-x64/bin/bun');
const noBun = process.platform !== 'linux' || process.arch !== 'x64';

beforeAll(() => {
  writeFileSync(join(tools, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--force'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: tools, stdio: 'pipe' });
}, 300_000);

const projectWith = async (name: string): Promise<string> => {
  const folder = await newProject('block');
  symlinkSync(join(tools, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
};

test("the guide's test recipe for Jest passes", async () => {
  const folder = await projectWith('@jest');
  writeRecipe(folder, 'Jest');
  const jest = ['--experimental-vm-modules', join(tools, 'node_modules/jest/bin/jest.js')];
  const run = await runIn(folder, [...jest, '--testMatch', '**/test/*.test.mjs']);
  expect(run.output).toMatch(/Tests: +1 passed/);
});

test.skipIf(noBun)("the guide's test recipe for Bun passes (Linux x64 only)", async () => {
  const folder = await newProject('block');
  writeRecipe(folder, 'Bun');
  const run = await runIn(folder, ['test'], bun);
  expect(run.output).toMatch(/1 pass\b/);
});

test('passes requests to Mock Service Worker only if they have no stub and are not for the platform', async () => {
  const folder = await projectWith('msw');
  writeFileSync(join(folder, 'test/counter.test.ts'), besideMsw);
  const run = await runIn(folder, vitest);
  expect(run.output).toMatch(/Tests +3 passed/);
});

const besideMsw = `
import { createIntegration } from 'integration-platform';
import { withTestPlatform } from 'integration-platform/testing';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { sharedFolder } from '../support/temporary-folder.js';

const server = setupServer(http.get('https://a.example.com/', () => HttpResponse.text('from a handler')));
const integration = createIntegration({
  fetch: async (_request, { api }) => {
    const { data } = await api.spaces.getSpaceById('space_local');
    return new Response(data.title + ' ' + (await (await fetch('https://a.example.com/')).text()));
  },
});

async function check(platform) {
  expect(await (await platform.fetch('/')).text()).toBe('Local space from a handler');
  expect(await (await fetch('https://a.example.com/')).text()).toBe('from a handler');
  platform.stub('https://a.example.com', new Response('from a stub'));
  expect(await (await platform.fetch('/')).text()).toBe('Local space from a stub');
}

test('the test platform works if it starts before Mock Service Worker', async () => {
  server.listen({ onUnhandledRequest: 'error' });
  await withTestPlatform({ integration, unstubbed: 'pass' }, async (platform) => {
    await platform.install();
    await check(platform);
  });
  expect(await (await fetch('https://a.example.com/')).text()).toBe('from a handler');
  server.close();
});

test('the test platform works if it starts after Mock Service Worker and stops first', () =>
  withTestPlatform({ integration, unstubbed: 'pass' }, async (platform) => {
    await platform.install();
    server.listen({ onUnhandledRequest: 'error' });
    await check(platform);
    server.close();
  }));
`;
