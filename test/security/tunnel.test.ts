import { afterAll, expect, test } from 'vitest';
import { startDevProject, type DevProject } from '../support/dev-project.js';
import { envelopeRequest } from '../support/envelope-request.js';
import { environment } from '../support/environment.js';
import { forwardingHeaders } from '../support/forwarding-headers.js';
import { startTunnel } from '../support/rewriting-tunnel.js';
import { serve } from '../support/serve.js';

const publicUrl = 'https://tunnel.example';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** A service of the machine that a forged envelope makes the script fetch. */
const reached: string[] = [];
const victim = await serve((request) => {
  reached.push(new URL(request.url).pathname);
  return Response.json({});
});
closing.push(victim.close);

async function start(...argv: string[]): Promise<DevProject> {
  const project = await startDevProject('projects/boundary', argv);
  closing.push(project.close);
  return project;
}

async function through(project: DevProject, added: Record<string, string>) {
  const { origin } = new URL(project.urls.envelope);
  const tunnel = await startTunnel(origin, added);
  const consoleTunnel = await startTunnel(new URL(project.urls.console).origin, added);
  const status = async (url: string, init?: RequestInit): Promise<number> => (await fetch(url, init)).status;
  const forged = envelopeRequest(
    { type: 'fetch', request: { url: `${origin}/x/outbound`, method: 'GET', headers: {} } },
    { environment: environment({ apiEndpoint: victim.url }) },
  );
  const body = Buffer.from(await forged.arrayBuffer());
  const post = {
    method: 'POST',
    headers: { 'content-type': forged.headers.get('content-type') ?? '' },
    body,
  };
  const key = { headers: { 'X-Platform-Token': project.key } };
  reached.length = 0;
  const statuses = {
    envelope: await status(`${tunnel.url}/v1`, post),
    otherVersion: await status(`${tunnel.url}/v2`, post),
    api: await status(`${tunnel.url}/api/v1/integrations/boundary`),
    health: await status(`${tunnel.url}/healthz`),
    start: await status(`${tunnel.url}/`),
    console: await status(`${consoleTunnel.url}/`),
    consoleApi: await status(`${consoleTunnel.url}/console/api/overview`, key),
    oauth: await status(`${consoleTunnel.url}/oauth/token`, { method: 'POST' }),
    publicEndpoint: await status(tunnel.url + new URL(project.urls.publicEndpoint).pathname),
  };
  await Promise.all([tunnel.close(), consoleTunnel.close()]);
  return { ...statuses, reached: reached.length };
}

const refused = {
  envelope: 403,
  otherVersion: 403,
  api: 403,
  health: 403,
  start: 403,
  console: 403,
  consoleApi: 403,
  oauth: 403,
  publicEndpoint: 200,
  reached: 0,
};

test.each([
  ['without --public-url', []],
  ['with --public-url', ['--public-url', publicUrl]],
])('lets a tunnel that rewrites Host reach only public endpoints %s', async (how, argv) => {
  const project = await start(...argv);
  for (const name of forwardingHeaders)
    expect([name, await through(project, { [name]: '203.0.113.7' })]).toEqual([name, refused]);
  const probes = Object.keys(refused).length - 2;
  const count = forwardingHeaders.length * probes;
  console.log(
    `tunnel with forwarding headers, ${how}: ${count} of ${count} refused, public endpoint reached ${forwardingHeaders.length} of ${forwardingHeaders.length}`,
  );
});

test('requires the key for envelopes from a tunnel without extra headers if --public-url is set', async () => {
  const project = await start('--public-url', publicUrl);
  const seen = await through(project, {});
  expect(seen).toMatchObject({ envelope: 401, otherVersion: 401, api: 401, publicEndpoint: 200, reached: 0 });
  console.log(`tunnel without headers, with --public-url: ${JSON.stringify(seen)}`);
});

/** Nothing tells this request from one of the machine itself: that is why SECURITY.md asks for --public-url. */
test('treats a tunnel without extra headers as a local client if --public-url is not set', async () => {
  const project = await start();
  const seen = await through(project, {});
  expect(seen).toMatchObject({ envelope: 200, api: 401, publicEndpoint: 200, reached: 1 });
  console.log(
    `tunnel without headers, without --public-url: ${JSON.stringify(seen)} (not told apart: see SECURITY.md)`,
  );
});
