import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import type { IntegrationScript } from '../../src/runtime/index.js';
import * as everything from '../../src/runtime/index.js';
import { envelopeRequest } from '../support/envelope-request.js';

const runtime = fileURLToPath(new URL('../../src/runtime/index.ts', import.meta.url));
const jsxRuntime = fileURLToPath(new URL('../../src/runtime/jsx-runtime.ts', import.meta.url));

async function bundle(contents: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../../', import.meta.url)), loader: 'tsx' },
    alias: { 'integration-platform': runtime, 'integration-platform/jsx-runtime': jsxRuntime },
    bundle: true,
    minify: true,
    platform: 'neutral',
    format,
    globalName: 'bundled',
    jsx: 'automatic',
    jsxImportSource: 'integration-platform',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** The bytes that a worker carries for a script that uses these exports. */
const sizeOf = async (contents: string): Promise<number> => Buffer.byteLength(await bundle(contents));

describe('the runtime in a worker', () => {
  const names = Object.keys(everything);
  const withoutOAuth = names.filter((name) => !/oauth/i.test(name));
  test.each([
    ['a block', ['createIntegration', 'createComponent'], 9.25],
    ['all but OAuth', withoutOAuth, 11],
    ['OAuth', ['createIntegration', 'createOAuthHandler', 'getOAuthToken'], 13.8],
    ['all that there is', names, 16.25],
  ])('with %s is at most so many KB', async (_, used, most) => {
    const size = await sizeOf(`export { ${used.join(', ')} } from 'integration-platform';`);
    expect(size / 1024).toBeLessThanOrEqual(most);
  });

  test('all but OAuth is all but three', () => {
    expect(withoutOAuth).toHaveLength(names.length - 3);
  });

  test('does nothing by being imported', async () => {
    expect(await sizeOf("import 'integration-platform';")).toBeLessThan(400);
  });

  test('needs nothing but what the web has', async () => {
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
});
