import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useAuthorProject } from '../support/author-dev.js';
import { freePort } from '../support/free-port.js';
import { attachDebugger } from '../support/inspector-client.js';
import { runCli } from '../support/run-cli.js';

const author = useAuthorProject();
const guide = readFileSync(new URL('../../docs/guides/debugging.md', import.meta.url), 'utf8');
const launchFile = fileURLToPath(new URL('../../templates/shared/_vscode/launch.json', import.meta.url));

test("attaches a debugger to the --inspect port with a new project's launch configuration", async () => {
  const { configurations } = JSON.parse(readFileSync(launchFile, 'utf8')) as { configurations: object[] };
  expect(configurations).toMatchObject([{ type: 'node', request: 'attach', port: 9229, restart: true }]);
  expect((await runCli(['dev', '--help'])).stdout).toContain('9229');
  expect(guide).toContain(readFileSync(launchFile, 'utf8'));
});

test('stops the script at a breakpoint that is set in a source file', async () => {
  const port = await freePort();
  const dev = author.dev(['--inspect', String(port)]);
  await dev.prints(/Public +\S+/);
  const url = /Public +(\S+)/.exec(dev.text())?.[1] ?? '';
  await dev.prints(/can attach to the debugger on port\s+\d+\s+and\s+run\s+code\s+as\s+you\./);
  const client = await attachDebugger(port);
  await client.send('Debugger.enable');
  const script = await client.event('Debugger.scriptParsed', ({ url: file }) =>
    /\/script-\d+\.mjs$/.test(String(file)),
  );

  // The editor reads the source map from the script's folder, which is outside of the project.
  const scriptUrl = new URL(String(script['url']));
  const payload = JSON.parse(
    readFileSync(new URL(String(script['sourceMapURL']), scriptUrl), 'utf8'),
  ) as SourceMapPayload;
  const map = new SourceMap(payload);
  const { configurations } = JSON.parse(readFileSync(launchFile, 'utf8')) as {
    configurations: { resolveSourceMapLocations: string[] }[];
  };
  expect(configurations[0]?.resolveSourceMapLocations).toContain('**');

  const statement = 'return Response.json({ revision })';
  const lines = readFileSync(scriptUrl, 'utf8').split('\n');
  const lineNumber = lines.findIndex((line) => line.includes(statement));
  const columnNumber = lines[lineNumber]?.indexOf(statement) ?? -1;
  const set = await client.send('Debugger.setBreakpointByUrl', {
    url: scriptUrl.href,
    lineNumber,
    columnNumber,
  });
  expect(set['locations']).toHaveLength(1);

  const response = fetch(url);
  const paused = await client.event('Debugger.paused');
  const [frame] = paused['callFrames'] as { location: { lineNumber: number; columnNumber: number } }[];
  const source = join(author.folder, 'src/index.tsx');
  const position = map.findEntry(frame?.location.lineNumber ?? -1, frame?.location.columnNumber ?? -1);
  expect(position).toMatchObject({
    originalSource: 'src/index.tsx',
    originalLine: readFileSync(source, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(statement)),
  });
  expect(join(payload.sourceRoot, 'src/index.tsx')).toBe(source);

  await client.send('Debugger.resume');
  expect(await (await response).json()).toEqual({ revision: 'one' });
  client.close();
});
