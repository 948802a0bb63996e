import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookFetch } from '../../src/webhooks/node/webhook-fetch.js';
import { createDeadlines } from '../../src/base/deadlines.js';
import { systemClock } from '../../src/base/clock.js';
import { sendRequest } from '../../src/webhooks/send/send-request.js';
import type { Targets } from '../../src/webhooks/send/target-address.js';

const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '2852039166',
  '0xA9FEA9FE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '169.254.169.254.',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:169.254.169.254]',
  '[::169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::169.254.169.254]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::]',
  '[2001::5601:5601]',
  '[2001:db8::5efe:a9fe:a9fe]',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'rebound.test',
];
const inside = [
  '127.0.0.1',
  '0x7f.1',
  '0',
  '10.0.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.1.1',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '[fe80::1]',
  '[fc00::1]',
  '[ff02::1]',
  '[64:ff9b::10.0.0.1]',
  '[2002:7f00:1::]',
  'inside.test',
];

const names: Record<string, string[]> = {
  'rebound.test': ['203.0.113.7', '169.254.169.254'],
  'inside.test': ['::ffff:192.168.0.1'],
};
let lookups: string[] = [];
const resolve = ((name: string, _options: object, callback: (error: null, found: object[]) => void) => {
  lookups.push(name);
  const found = names[name] ?? ['127.0.0.1'];
  callback(
    null,
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
}) as unknown as typeof lookup;

const clients = {
  any: createWebhookFetch({ targets: 'any', resolve }),
  public: createWebhookFetch({ targets: 'public', resolve }),
};
async function send(url: string, targets: Targets) {
  const request = { url, body: new Uint8Array([123, 125]), headers: { 'X-Platform-Signature': 't=1,v1=0' } };
  const timeouts = createDeadlines(systemClock, 2000);
  const result = await sendRequest(request, { fetch: clients[targets], timeouts });
  return result.kind === 'error' ? `${result.error}: ${result.message}` : `status ${result.status}`;
}

test('sends no webhooks to metadata services or, if only public targets are allowed, to internal networks', async () => {
  let slowest = 0;
  const refuses = async (host: string, targets: Targets, why: RegExp): Promise<void> => {
    const start = performance.now();
    expect(await send(`http://${host}/`, targets), host).toMatch(why);
    slowest = Math.max(slowest, performance.now() - start);
  };
  for (const host of metadata) await refuses(host, 'any', /^target: .*metadata.* cannot be sent there/);
  for (const host of [...metadata, ...inside])
    await refuses(host, 'public', /^target: .* cannot be sent there/);
  console.log(
    `webhook targets: ${metadata.length} of ${metadata.length} metadata spellings refused with any target, ${metadata.length + inside.length} of ${metadata.length + inside.length} inner ones with public targets, slowest ${Math.ceil(slowest)} ms`,
  );
});

test('connects to the IP address that was checked, and checks each connection again', async () => {
  const server = createServer((_, response) => {
    response.setHeader('connection', 'close').end('ok');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  lookups = [];
  const results = [await send(`http://moving.test:${port}/`, 'any')];
  names['moving.test'] = ['169.254.169.254'];
  results.push(await send(`http://moving.test:${port}/`, 'any'));
  names['moving.test'] = ['127.0.0.1'];
  results.push(
    await send(`http://moving.test:${port}/`, 'any'),
    await send(`http://127.0.0.1:${port}/`, 'any'),
  );
  expect(results).toEqual([
    'status 200',
    'target: 169.254.169.254 (moving.test) is a cloud metadata address. Webhooks cannot be sent there.',
    'status 200',
    'status 200',
  ]);
  expect(lookups).toEqual(['moving.test', 'moving.test', 'moving.test']);
  console.log(
    `webhook targets: 3 connections by name, ${lookups.length} lookups, the one that moved to a metadata address refused`,
  );
});
