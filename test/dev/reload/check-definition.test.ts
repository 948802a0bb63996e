import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { manifest, reloading } from './reloading.js';

const runtime = fileURLToPath(new URL('../../../src/runtime/index.ts', import.meta.url));

const drawing = (...ids: string[]): string => `
import { createComponent, createIntegration } from ${JSON.stringify(runtime)};
const components = ${JSON.stringify(ids)}.map((componentId) => createComponent({ componentId, render: async () => null }));
export default createIntegration({ components, fetch: async () => new Response(${JSON.stringify(ids.join())}) });
`;

const block = (id: string, comment = ''): string => `
  - id: ${id}${comment}
    title: A block
    description: For tests.`;

test("warns at a block's line until the script has a component for it", async () => {
  const blocks = block('chart') + block('wether');
  const project = await reloading({
    'platform-manifest.yaml': manifest({ blocks }),
    'src/index.ts': drawing('weather', 'chart'),
  });
  expect(project.warnings()).toMatchObject([
    {
      code: 'publish/missing-component',
      severity: 'warning',
      message: 'The script has no component wether. It has weather, chart.',
      help: expect.stringContaining('Did you mean "weather"?'),
      range: { start: { line: 12, column: 9 } },
    },
  ]);
  project.forget();
  project.write('src/index.ts', drawing('wether', 'chart'));
  await expect.poll(project.told).toEqual(['built']);
  expect(project.warnings()).toEqual([]);
});

test("warns if the script does not implement the manifest's content source", async () => {
  const project = await reloading({
    'platform-manifest.yaml': manifest({ contentSources: '[{ id: glosary }, { id: terms }]' }),
    'src/index.ts': `
import { createContentSource, createIntegration } from ${JSON.stringify(runtime)};
const source = (sourceId) => createContentSource({
  sourceId,
  getRevision: async () => ({ pages: [] }),
  getPageDocument: async () => ({ nodes: [] }),
});
export default createIntegration({ contentSources: [source('glossary'), source('terms')], fetch: async () => new Response() });
`,
  });
  expect(project.warnings()).toMatchObject([
    {
      code: 'publish/missing-component',
      message: 'The script has no content source glosary. It has glossary, terms.',
      help: 'Did you mean "glossary"? Add it to contentSources in createIntegration(), or correct the id.',
    },
  ]);
});

test('warns about a configuration screen whose component is missing', async () => {
  const project = await reloading({
    'platform-manifest.yaml': manifest({ configurations: '{ account: { componentId: settings } }' }),
    'src/index.ts': drawing(),
  });
  expect(project.warnings().map(({ message }) => message)).toEqual([
    'The script has no component settings. It has none.',
  ]);
});

test.each([
  ['a script without createIntegration()', '', 'export default { fetch: async () => new Response() };'],
  [
    'components that cannot be read',
    '',
    `export default {
    fetch: async () => new Response(),
    get [Symbol.for('integration-platform')]() { throw new Error('no'); },
  };`,
  ],
  ['a block with a comment', ' # platform-ignore publish/missing-component: comes next week', drawing()],
])('does not warn about %s', async (_, comment, code) => {
  const project = await reloading({
    'platform-manifest.yaml': manifest({ blocks: block('weather', comment) }),
    'src/index.ts': code,
  });
  expect(project.told()).toEqual(['built']);
  expect(project.warnings()).toEqual([]);
});

test('warns about event handlers that never run', async () => {
  const project = await reloading({
    'src/index.ts': `
import { createIntegration } from ${JSON.stringify(runtime)};
const nothing = async () => {};
export default createIntegration({
  fetch: async () => new Response(),
  events: { site_view: nothing, fetch_published_script: nothing, spce_view: nothing, comment_created: nothing },
});
`,
  });
  expect(project.warnings()).toMatchObject([
    {
      code: 'publish/event-scope',
      severity: 'warning',
      message: 'events has a handler for fetch_published_script, which never runs.',
      range: { start: { line: 7 } },
    },
    { message: expect.stringContaining('spce_view'), help: 'Did you mean "space_view"?' },
    { message: expect.stringContaining('comment_created') },
  ]);
});
