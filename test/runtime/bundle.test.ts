import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const runtime = fileURLToPath(new URL('../../src/runtime/index.ts', import.meta.url));

/** The bytes that a worker carries for a script that uses these exports. */
async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../../', import.meta.url)), loader: 'tsx' },
    alias: { 'integration-platform': runtime },
    bundle: true,
    minify: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.contents.length ?? Infinity;
}

describe('the runtime in a worker', () => {
  test('is at most 12 KB for a script with components, events and requests', async () => {
    const size = await sizeOf(`
      import { createComponent, createElement, createIntegration, ExposableError, Fragment, Logger, publicEndpoint, routePath } from 'integration-platform';
      globalThis.kept = [createComponent, createElement, ExposableError, Fragment, Logger, publicEndpoint, routePath];
      export default createIntegration({});
    `);
    expect(size).toBeLessThanOrEqual(12 * 1024);
  });

  test('is at most 17 KB with all that there is', async () => {
    expect(await sizeOf("export * from 'integration-platform';")).toBeLessThanOrEqual(17 * 1024);
  });

  test('does nothing by being imported', async () => {
    expect(await sizeOf("import 'integration-platform';")).toBeLessThan(400);
  });
});
