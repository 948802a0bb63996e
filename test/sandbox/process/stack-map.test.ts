import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createStackMapper } from '../../../src/sandbox/process/stack-map.js';
import { script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

const file = '/tmp/run/script-1.mjs';
const hidden = ['/opt/child/main.js'];

/** Line 3, column 5 of the bundle is line 2, column 7 of src/a.ts; line 5 is of no file. */
const map = JSON.stringify({
  version: 3,
  sources: ['src/a.ts', 'node-module:fs'],
  names: [],
  mappings: ';;IACM;;ACAA',
});

test.each([
  ['a frame', `Error: x\n    at f (file://${file}:3:5)`, 'Error: x\n    at f (src/a.ts:2:7)'],
  ['a frame without a name', `Error: x\n    at file://${file}:3:5`, 'Error: x\n    at src/a.ts:2:7'],
  ['a frame with only a path', `${file}:3\nthrow`, `${file}:3\nthrow`],
  [
    'the bundler’s own code',
    `Error: x\n    at __require (file://${file}:1:1)\n    at file://${file}:3:5\n    at file://${file}:5:1`,
    'Error: x\n    at src/a.ts:2:7',
  ],
  ['another file', 'Error: x\n    at file:///tmp/b.mjs:3:5', 'Error: x\n    at file:///tmp/b.mjs:3:5'],
  ['text without a stack', 'at 3:5 o’clock', 'at 3:5 o’clock'],
  [
    'frames below the author’s code',
    `Error: x\n    at f (file://${file}:3:5)\n    at async answer (file:///opt/child/main.js:9:9)\n    at process.x (node:internal/a:1:2)`,
    'Error: x\n    at f (src/a.ts:2:7)',
  ],
  [
    'frames before an error’s properties',
    `Error: x\n    at f (file://${file}:3:5)\n    ... 4 lines matching cause stack trace ...\n    at node:internal/a:1:2 {\n  code: 1\n}`,
    'Error: x\n    at f (src/a.ts:2:7) {\n  code: 1\n}',
  ],
])('maps a stack trace to source positions: %s', (_, text, expected) => {
  expect(createStackMapper({ file, map, hidden })(text)).toBe(expected);
});

test('shows a path with special characters exactly as on disk', async () => {
  const sourcefile = 'src/(auth)/[id] café 100%.ts';
  const { outputFiles } = await build({
    stdin: { contents: "throw new Error('x');", sourcefile, loader: 'ts' },
    sourcemap: 'external',
    outfile: 'out.js',
    write: false,
  });
  const built = outputFiles.find(({ path }) => path.endsWith('.map'))?.text;
  const toSource = createStackMapper({ file, map: built, hidden });
  expect(toSource(`Error: x\n    at file://${file}:1:7`)).toContain(`at ${sourcefile}:1:`);
});

test('shows an error in the script at its position in the source', async () => {
  const { sandbox, send, logged } = await startSandbox();
  const { outputFiles } = await build({
    stdin: {
      contents: `
        interface Settings { limit: number }
        export default {
          async fetch(request: Request): Promise<Response> {
            const settings: Settings | undefined = undefined;
            console.log(\`limit \${settings!.limit}\`);
            return new Response('');
          },
        };`,
      sourcefile: 'src/index.ts',
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    sourcemap: 'external',
    outdir: '/',
  });
  const [mapFile, codeFile] = outputFiles;
  await sandbox.load({ code: codeFile?.text ?? '', map: mapFile?.text ?? '' });
  await send('');
  expect((await logged('TypeError')).text).toMatch(/\n {4}at Object\.fetch \(src\/index\.ts:6:44\)$/);
});

test('shows an error while loading at its position in the source', async () => {
  const { sandbox } = await startSandbox();
  await expect(sandbox.load({ ...script(''), code: '\n\n    nope();', map })).rejects.toThrow(
    'ReferenceError: nope is not defined\n    at src/a.ts:2:7',
  );
});
