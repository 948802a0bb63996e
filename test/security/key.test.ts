import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { startDevProject, type DevProject } from '../support/dev-project.js';

let project: DevProject;
let addresses: string[] = [];
beforeAll(async () => {
  project = await startDevProject('projects/boundary', [
    '--ready-file',
    join('/tmp', `ready-${process.pid}.json`),
  ]);
  const [publicOrigin, consoleOrigin] = [project.urls.envelope, project.urls.console].map(
    (url) => new URL(url).origin,
  );
  const paths =
    '/ /console /console/ /console/calls /console/calls/call_1 /console/app.js /console/app.css /console/assets/icon /console/..%2fsession.json /.platform/session.json /console/api/overview /console/api/openapi.json /console/api/stream /console/api/pages /oauth/authorize /oauth/token /healthz /v1 /v2 /api /api/v1/integrations/boundary /v1/integrations/boundary /content/integrations/boundary /index.html /robots.txt /sw.js'.split(
      ' ',
    );
  addresses = [publicOrigin, consoleOrigin].flatMap((origin) => paths.map((path) => `${origin}${path}`));
});
afterAll(() => project.close());

const opensTheApi = async (text: string): Promise<boolean> => {
  const words = new Set(text.match(/[\w-]{22}/g));
  for (const word of words) {
    const headers = { 'X-Platform-Token': word };
    if ((await fetch(`${project.urls.console}console/api/overview`, { headers })).ok) return true;
  }
  return false;
};

test('never shows the console key on a page to a client without browser headers', async () => {
  const pages: string[] = [];
  for (const address of addresses) {
    const response = await fetch(address);
    const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
    if (address.includes('/console/api/')) expect([address, response.status]).not.toEqual([address, 200]);
    expect([address, text.includes(project.key)]).toEqual([address, false]);
    expect([address, response.headers.get('set-cookie')]).toEqual([address, null]);
    // Words of a script's size would be the console's own code.
    if (!address.includes('/app.')) pages.push(text);
  }
  expect(await opensTheApi(pages.join('\n'))).toBe(false);
  console.log(`pages without browser headers: 0 of ${addresses.length} with the key, 0 with a cookie`);
});

test("never shows the console key on a page to the script's own fetch", async () => {
  let found = 0;
  let tried = 0;
  for (const address of addresses) {
    // It would wait for itself.
    if (address.includes('/v1/integrations/')) continue;
    tried += 1;
    const response = await fetch(`${project.urls.publicEndpoint}?url=${encodeURIComponent(address)}`);
    const { status, text } = (await response.json()) as { status: number; text: string };
    if (text.includes(project.key) || (address.includes('/console/api/') && status === 200)) found += 1;
  }
  expect(found).toBe(0);
  console.log(`the script's own fetch: 0 of ${tried} pages opened the console`);
});

test('dev never prints the console key without a terminal, but open --print does', async () => {
  expect(JSON.stringify(project.lines)).not.toContain(project.key);
  expect(readFileSync(join('/tmp', `ready-${process.pid}.json`), 'utf8')).not.toContain(project.key);
  const { code, stdout } = await runCli(['open', 'calls', '--print'], {
    cwd: project.folder,
    isRunning: () => true,
  });
  expect(code).toBe(0);
  const link = new URL(stdout.trim());
  expect(link.href).toBe(`${project.urls.console}console/calls#key=${project.key}`);
  expect((await fetch(link)).status).toBe(200);
  const headers = { 'X-Platform-Token': link.hash.replace('#key=', '') };
  expect((await fetch(`${link.origin}/console/api/overview`, { headers })).status).toBe(200);
  console.log(
    'dev in a pipe: no key in its output and ready file; platform open --print gives a working link',
  );
});

test('generates a new console key on every start, and rejects old keys', async () => {
  const { key: earlier } = project;
  await project.close();
  project = await startDevProject('projects/boundary');
  const headers = { 'X-Platform-Token': earlier };
  expect((await fetch(`${project.urls.console}console/api/overview`, { headers })).status).toBe(401);
  expect(Buffer.from(project.key, 'base64url').length).toBe(16);
});
