import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type { LogLine } from '../../../src/protocol/log-and-outbound-types.js';
import type { Script } from '../../../src/sandbox/process/script-folder.js';
import { createSourceFrames } from '../../../src/sandbox/process/source-frame.js';
import { startSandbox } from '../start-sandbox.js';

const sources: Record<string, string | null> = {
  'src/index.ts': '1\r\n2\n3\n4\n5\n6\n7\n',
  'src/short.ts': '1\n',
  'src/empty.ts': null,
  'src/%28auth%29/caf%C3%A9.ts': '1\n2\n3\n4\n',
};
const map = JSON.stringify({ sources: Object.keys(sources), sourcesContent: Object.values(sources) });
const withFrame = createSourceFrames(map);
const error = (text: string): LogLine => ({ level: 'error', text, time: 0 });
const errorAt = (path: string): LogLine => error(`Error: Oh\n    at run (${path}:4:3)`);

test('shows the source that was built, not the current file, in a code frame', () => {
  expect(withFrame(errorAt('src/index.ts')).frame).toEqual({
    firstLine: 2,
    lines: ['2', '3', '4', '5', '6'],
  });
});

test('finds a source file by its path even if its name contains special characters', () => {
  expect(withFrame(errorAt('src/(auth)/café.ts')).frame?.firstLine).toBe(2);
});

test.each(['src/short.ts', 'src/empty.ts', 'src/gone.ts', '/etc/passwd'])('shows no frame for %s', (path) => {
  expect(withFrame(errorAt(path))).toEqual(errorAt(path));
});

test('shows no code frame for an error without a stack', () => {
  expect(withFrame(error('Oh'))).toEqual(error('Oh'));
});

test('shows no code frame for a warning', () => {
  const warning: LogLine = { ...errorAt('src/index.ts'), level: 'warn' };
  expect(withFrame(warning)).toEqual(warning);
});

test('shows no code frames for a script without a source map', () => {
  expect(createSourceFrames(undefined)(errorAt('src/index.ts')).frame).toBeUndefined();
});

const buildFailing = async (comment: string): Promise<Script> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export default {
          async fetch() {
            await new Promise((resolve) => setTimeout(resolve, 300));
            console.error(new Error('Oh')); // ${comment}
            return new Response('');
          },
        };`,
      sourcefile: 'src/index.ts',
      loader: 'js',
    },
    bundle: true,
    write: false,
    format: 'esm',
    sourcemap: 'external',
    outfile: 'out.js',
  });
  const [mapFile, codeFile] = outputFiles;
  return { code: codeFile?.text ?? '', ...(mapFile && { map: mapFile.text }) };
};

test('shows the code of the build that handled a failed call, without secrets', async () => {
  const { sandbox, send, logs } = await startSandbox();
  await sandbox.load(await buildFailing('first canary-secret'));
  const begun = send('', 'call-1');
  await expect.poll(() => sandbox.unfinishedCalls()).toBe(1);
  await sandbox.load(await buildFailing('second'));
  await Promise.all([begun, send('', 'call-2')]);
  await expect.poll(() => logs.length).toBe(2);
  const code = (id: string) => logs.find(({ callId }) => callId === id)?.frame?.lines.join('\n');
  expect(code('call-1')).toContain('// first •••');
  expect(code('call-2')).toContain('// second');
});
