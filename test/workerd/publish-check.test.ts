import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { checkProject } from '../../src/publish/check-project.js';
import { installedWorkerd } from './installed-workerd.js';
import { manifestText } from '../support/manifest-text.js';

const manifest = manifestText({
  name: 'checked',
  more: `script: src/index.tsx
blocks:
  - id: card
    title: Card
`,
});

const script = (
  first: string,
  inRender = '',
): string => `import { createComponent, createIntegration } from 'integration-platform';
${first}
const card = createComponent({
  componentId: 'card',
  render: async () => {
    ${inRender}
    return <block><text>fine</text></block>;
  },
});
export default createIntegration({ components: [card] });
`;

const withNode = 'compatibilityFlags: [nodejs_compat]\n';

async function check(source: string, { settings = '', installed = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'checked-'));
  if (installed) symlinkSync(join(installedWorkerd().folder, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of [
    ['platform-manifest.yaml', manifest],
    ['src/index.tsx', source],
    ['platform.dev.yaml', settings],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    const { checks, report } = await checkProject({
      file: join(folder, 'platform-manifest.yaml'),
      cwd: folder,
      env: {},
      target: 'organization',
      strict: false,
      sdkFolder: fileURLToPath(new URL('../..', import.meta.url)),
      scriptProcess: { node: process.execPath, version: '1.2.3', timers: systemClock },
    });
    const found = report.diagnostics.map(({ code, file, range, message }) => ({
      code,
      place: [file.slice(folder.length + 1), range?.start.line, message],
    }));
    return { checks, found };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verdictOf(source: string) {
  const { checks, found } = await check(source);
  const { verdict, evidence } = checks.find(({ id }) => id === 'publish/workerd') ?? {};
  return {
    verdict,
    evidence,
    found: found.filter(({ code }) => code === 'publish/workerd').map(({ place }) => place),
  };
}

test('passes a script that starts and renders in workerd', async () => {
  expect(await verdictOf(script(''))).toEqual({
    verdict: 'pass',
    evidence: `The script starts in workerd ${installedWorkerd().version}. It renders 1 of 1 component.`,
    found: [],
  });
});

test('reports the author’s line for a failure that occurs only in workerd', async () => {
  const atLoad = await verdictOf(script(`const key = globalThis['Buf' + 'fer'].from('key');`));
  expect(atLoad.verdict).toBe('fail');
  expect(atLoad.found).toEqual([
    ['src/index.tsx', 2, expect.stringMatching(/^The script does not start in workerd: TypeError/)],
  ]);
  const inRender = await verdictOf(script('', `globalThis['Buf' + 'fer'].from('key');`));
  expect(inRender.verdict).toBe('fail');
  expect(inRender.found).toEqual([
    [
      'src/index.tsx',
      6,
      expect.stringMatching(/^The component card cannot be rendered in workerd: TypeError/),
    ],
  ]);
});

const needsNode = script(
  `import { Buffer } from 'node:buffer';`,
  `if (Buffer.from('x').length !== 1) throw new Error('no Buffer');`,
);
const scriptChecks = ['publish/web-apis', 'publish/start', 'publish/render', 'publish/workerd'];

test.each([
  {
    project: 'without the flag, Node modules fail',
    how: {},
    expected: ['fail', 'skipped', 'skipped', 'skipped'],
    says: 'The script does not start in Node either.',
  },
  {
    project: 'with nodejs_compat, Node modules are allowed',
    how: { settings: withNode },
    expected: ['skipped', 'pass', 'pass', 'pass'],
    says: `The script starts in workerd ${installedWorkerd().version} with nodejs_compat. It renders 1 of 1 component.`,
  },
  {
    project: 'with nodejs_compat and no workerd, the script is not run',
    how: { settings: withNode, installed: false },
    expected: ['skipped', 'skipped', 'skipped', 'skipped'],
    says: 'With nodejs_compat, the script runs only in workerd, which is not installed: npm install --save-dev workerd@1.20261023.1',
  },
])('$project', async ({ how, expected, says }) => {
  const { checks } = await check(needsNode, how);
  const of = (code: string) => checks.find(({ id }) => id === code);
  expect(scriptChecks.map((code) => of(code)?.verdict)).toEqual(expected);
  expect(of('publish/workerd')?.evidence).toBe(says);
});

test('rejects outbound requests, including redirects, during publish-check', async () => {
  const visits: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    visits.push(url);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const there = `http://127.0.0.1:${port}`;
  const render = (way: string): string =>
    script('', `await ${way};`)
      .replace('render: async ()', 'render: async (element, { environment })')
      .replace(
        'components: [card]',
        `components: [card], fetch: async () => Response.redirect('${there}/redirected')`,
      );
  for (const way of [
    `fetch('${there}/fetch')`,
    'fetch(environment.integration.urls.publicEndpoint + "/redirect")',
  ]) {
    const { checks } = await check(render(way), { settings: withNode });
    const rendering = checks.find(({ id }) => id === 'publish/render');
    expect([visits, rendering?.verdict]).toEqual([[], 'review']);
    expect(rendering?.help).toContain(`Rendering calls 127.0.0.1:${port}, `);
  }
  server.close();
});
