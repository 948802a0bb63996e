import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOnce } from '../../src/bundle/index.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { jobs, type Job } from './jobs.js';

let folder: string;
let server: Server;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "packages", "private": true, "type": "module" }');
  const wanted = jobs.flatMap(({ install }) => install);
  const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...wanted];
  execFileSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(responses[request.url ?? ''] ?? { url: request.url }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 300_000);
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const responses: Record<string, object> = {
  '/graphql': { data: { hello: 'world' } },
  '/chat/completions': { choices: [{ index: 0, message: { role: 'assistant', content: 'hello' } }] },
};

/** Imports one group's packages in a script that runs them in a call, with a URL that responds. */
async function build({ imports, job }: Job): Promise<{ code: string; map: string }> {
  const entry = join(folder, 'src/index.ts');
  writeFileSync(
    entry,
    `${imports}
    const job = async (origin: string) => { ${job} };
    export default {
      async fetch(request: Request) {
        const form = await request.formData();
        return Response.json(await job(await (form.get('fetch-body') as File).text()));
      },
    };`,
  );
  const built = await bundleOnce({ entry, folder, sdk: { folder } });
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  return built.value;
}

test('runs packages that detect their environment, both on the first load and after a reload', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failed: string[] = [];
  for (const one of jobs) {
    const [name = ''] = one.install;
    const { sandbox, send, logs } = await startSandbox();
    try {
      const script = await build(one);
      for (const when of ['cold', 'after a reload']) {
        await sandbox.load(script);
        const { status, text } = await send(origin);
        const problem = logs.map((entry) => entry.text).join('\n');
        expect({ when, status, text, problem }).toEqual({
          when,
          status: 200,
          text: JSON.stringify(one.result),
          problem: '',
        });
      }
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(
    `packages: ${jobs.length - failed.length} of ${jobs.length} packages load and do their job, cold and after a reload`,
  );
  expect(failed.join('\n')).toBe('');
}, 300_000);
