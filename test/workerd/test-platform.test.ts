import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createTestPlatform } from '../../src/testing/index.js';
import { installedWorkerd } from './installed-workerd.js';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.js';

const folder = sharedFolder();
beforeAll(() => {
  symlinkSync(join(installedWorkerd().folder, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    'name: tested\ntitle: Tested\ndescription: For tests.\norganization: acme\nvisibility: private\nscopes: []\nscript: src/index.tsx\nblocks:\n  - id: counter\n    title: Counter\n',
  );
  writeFileSync(
    join(folder, 'src/index.tsx'),
    `import { createComponent, createIntegration } from 'integration-platform';
const counter = createComponent({
  componentId: 'counter',
  initialState: { n: 0 },
  action: async ({ state }) => ({ state: { n: state.n + 1 } }),
  render: async ({ state }) => <block><button label={\`Count \${state.n}\`} onPress={{ action: 'count' }} /></block>,
});
export default createIntegration({
  components: [counter],
  events: {
    space_content_updated: async (event, context) => {
      console.log('revision', event.revisionId);
      context.waitUntil(fetch('https://api.example.com/hook', { method: 'POST', body: event.revisionId }));
      context.waitUntil(Promise.reject(new Error('late')));
    },
  },
  fetch: async () => Response.json([navigator.userAgent, typeof process]),
});`,
  );
});

test('tests a project in workerd with stubs, components, logs and rejected promises', async () => {
  const platform = await createTestPlatform({ manifest: folder, runtime: 'workerd' });
  platform.stub('https://api.example.com', () => Response.json({}));
  await platform.install();
  expect(await (await platform.fetch('/')).json()).toEqual(['Platform/test', 'undefined']);
  const block = await platform.render('counter');
  await block.press('Count 0');
  expect(JSON.stringify(block.element)).toContain('Count 1');
  const { outcome } = await platform.trigger({ type: 'space_content_updated', revisionId: 'r1' });
  await platform.settled();
  expect(outcome).toBe('ok');
  expect(platform.outbound()).toMatchObject([
    { url: 'https://api.example.com/hook', body: 'r1', status: 200 },
  ]);
  await expect.poll(() => platform.logs()).toContainEqual({ level: 'info', text: 'revision r1' });
  await expect.poll(() => platform.rejections()).toMatchObject([{ error: { message: 'late' } }]);
  await platform.close();
});

test('explains why workerd rejects an integration that is passed as an object', async () => {
  const integration = { fetch: async () => new Response('') } as never;
  await expect(createTestPlatform({ integration, manifest: folder, runtime: 'workerd' })).rejects.toThrow(
    "An integration that is passed as an object runs in the test's process",
  );
});

test('shows the install command if the workerd package is missing', async () => {
  const bare = temporaryFolder();
  writeFileSync(
    join(bare, 'platform-manifest.yaml'),
    'name: bare\ntitle: Bare\ndescription: For tests.\norganization: acme\nvisibility: private\nscopes: []\n',
  );
  await expect(createTestPlatform({ manifest: bare, runtime: 'workerd' })).rejects.toMatchObject({
    hint: expect.stringMatching(/^Install it: npm install --save-dev workerd@/),
  });
});
