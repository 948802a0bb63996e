import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build, type BuildOptions } from 'esbuild';
import { expect, test } from 'vitest';
import type { IntegrationScript } from '../../src/runtime/index.js';
import * as everything from '../../src/runtime/index.js';
import { envelopeRequest } from '../support/envelope-request.js';

const runtime = fileURLToPath(new URL('../../src/runtime/index.ts', import.meta.url));
const jsxRuntime = fileURLToPath(new URL('../../src/runtime/jsx-runtime.ts', import.meta.url));

const options = {
  alias: { 'integration-platform': runtime, 'integration-platform/jsx-runtime': jsxRuntime },
  bundle: true,
  minify: true,
  platform: 'neutral',
  globalName: 'bundled',
  jsx: 'automatic',
  jsxImportSource: 'integration-platform',
  target: 'es2022',
  write: false,
  logLevel: 'error',
} as const;

async function bundle(contents: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const resolveDir = fileURLToPath(new URL('../../', import.meta.url));
  const { outputFiles } = await build({ ...options, format, stdin: { contents, resolveDir, loader: 'tsx' } });
  return outputFiles[0]?.text ?? '';
}

/** Returns the runtime's part of a script's worker. */
async function runtimeOf(script: BuildOptions): Promise<number> {
  const { metafile } = await build({ ...options, ...script, format: 'esm', metafile: true });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {});
  const ofRuntime = inputs.filter(([file]) => /src\/(runtime|protocol)\//.test(file));
  expect(ofRuntime.length).toBeGreaterThan(10);
  return ofRuntime.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
}

/** Returns the worker's size in bytes for a script that uses these exports. */
const sizeOf = async (contents: string): Promise<number> => Buffer.byteLength(await bundle(contents));

const kilobyte = 1024;

const names = Object.keys(everything);
const oauth = ['createOAuthHandler', 'getOAuthToken'];
test.each([
  ['a block', ['createIntegration', 'createComponent'], 8.25],
  ['OAuth', ['createIntegration', ...oauth], 12.5],
  ['all exports except OAuth', names.filter((name) => !oauth.includes(name)), 12.25],
  ['all exports', names, 16.25],
])('bundles %s within the size limit', async (_, used, most) => {
  const size = await sizeOf(`export { ${used.join(', ')} } from 'integration-platform';`);
  expect(size / kilobyte).toBeLessThanOrEqual(most);
});

test.each([
  ['blank', 12],
  ['block', 12],
  ['events', 12],
  ['oauth', 12.25],
])('bundles the template %s in at most %d KB', async (template, most) => {
  const entry = template === 'block' ? 'index.tsx' : 'index.ts';
  const script = new URL(`../../templates/${template}/ts/src/${entry}`, import.meta.url);
  expect(await runtimeOf({ entryPoints: [fileURLToPath(script)] })).toBeLessThanOrEqual(most * kilobyte);
});

test('bundles rendering, account connections and token refreshes in at most 12.75 KB', async () => {
  const contents = `
      import { createComponent, createIntegration, createOAuthHandler, ExposableError, getOAuthToken, Logger } from 'integration-platform';
      const card = createComponent({ componentId: 'card', render: async (element, context) => {
        const token = await getOAuthToken(context.environment.installation.configuration.oauth_credentials, {}, context);
        if (!token) throw new ExposableError('Connect first.');
        Logger('card').info('drawn');
        return <><block><text>{element.props.title}</text></block></>;
      } });
      export default createIntegration({ components: [card], fetch: createOAuthHandler({}) });`;
  const stdin = { contents, resolveDir: fileURLToPath(new URL('../../', import.meta.url)), loader: 'tsx' };
  expect(await runtimeOf({ stdin } as BuildOptions)).toBeLessThanOrEqual(12.75 * kilobyte);
});

test('importing the runtime has no side effects', async () => {
  expect(await sizeOf("import 'integration-platform';")).toBeLessThan(400);
});

test('the runtime uses only web APIs', async () => {
  const streams = { ReadableStream, TextEncoder, TextDecoder };
  const requests = { Request, Response, Headers, URL, URLSearchParams, fetch };
  const web = { ...streams, ...requests, crypto, atob, btoa, console, Uint8Array };
  const code = await bundle(
    `import { createComponent, createIntegration } from 'integration-platform';
       const rest = { style: 'bold' };
       const card = createComponent({ componentId: 'card', render: () => <text {...rest} key="k">hi</text> });
       export default createIntegration({ components: [card] });`,
    'iife',
  );
  const script = runInNewContext(`${code}; bundled.default`, web) as IntegrationScript;
  const event = { type: 'ui_render', componentId: 'card', props: {}, context: {} };
  const response = await script.fetch(envelopeRequest(event));
  expect(await response.json()).toEqual({
    type: 'element',
    state: {},
    props: {},
    element: { type: 'text', style: 'bold', children: ['hi'] },
  });
});
