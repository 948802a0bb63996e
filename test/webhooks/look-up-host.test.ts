import type { LookupAddress } from 'node:dns';
import { expect, it, onTestFinished } from 'vitest';
import { createLookUpHost, type LookUpHostOptions } from '../../src/webhooks/node/look-up-host.js';
import { createWebhookFetch } from '../../src/webhooks/node/webhook-fetch.js';
import { startNameServer, type Answer } from '../support/name-server.js';

async function open(answer: (name: string, type: string) => Answer, options: LookUpHostOptions = {}) {
  const server = await startNameServer(answer);
  onTestFinished(server.close);
  const lookUp = createLookUpHost({ servers: [server.address], readFile: () => '', ...options });
  const find = (host: string): Promise<LookupAddress[]> =>
    new Promise((resolve, reject) =>
      lookUp(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
    );
  return { find, lookUp, questions: server.questions };
}

it('looks up a host name once, and again after the result expires', async () => {
  const { find, questions } = await open(() => ({ address: '192.0.2.7', ttl: 1 }));
  const found = await Promise.all(Array.from({ length: 20 }, () => find('shop.example')));
  expect(new Set(found.flat().map(({ address }) => address))).toEqual(new Set(['192.0.2.7']));
  expect(questions.toSorted()).toEqual(['shop.example A', 'shop.example AAAA']);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await find('shop.example');
  expect(questions).toHaveLength(4);
});

it('stops looking up a hanging name after 5 s, while other names resolve immediately', async () => {
  const { find } = await open((name) =>
    name === 'silent.example' ? 'silent' : { address: '192.0.2.7', ttl: 60 },
  );
  const silent = Array.from({ length: 50 }, () => find('silent.example').catch((error: unknown) => error));
  const others = async () => {
    for (let n = 0; n < 50; n += 1) expect(await find(`n${n}.example`)).toHaveLength(1);
    return 'others';
  };
  expect(await Promise.race([others(), ...silent])).toBe('others');
  for (const error of await Promise.all(silent)) expect(error).toMatchObject({ code: 'EAI_AGAIN' });
});

it('does not wait for the other address family once one has resolved', async () => {
  const { find } = await open((name, type) =>
    name === 'half.example' && type === 'A' ? { address: '192.0.2.7', ttl: 60 } : 'silent',
  );
  const silent = find('silent.example').catch(() => 'gave up');
  expect(await Promise.race([silent, find('half.example')])).toEqual([{ address: '192.0.2.7', family: 4 }]);
});

it.each([
  ['a missing name', 'missing', 'ENOTFOUND'],
  ['a failing name server', 'failed', 'EAI_AGAIN'],
] as const)('reports %s when looking up a host name', async (_, answer, code) => {
  const { find } = await open(() => answer);
  await expect(find('gone.example')).rejects.toMatchObject({
    code,
    message: expect.stringContaining('gone.example'),
  });
});

it('reads the hosts file and the search list of domains', async () => {
  const files: Record<string, string> = {
    '/etc/hosts': '# local\n192.0.2.1  One one.alias # comment\n2001:db8::1 one\n',
    '/etc/resolv.conf': 'search svc.cluster.local\noptions ndots:2\n',
  };
  const { find, questions } = await open(
    (name) => (name === 'receiver.svc.cluster.local' ? { address: '192.0.2.9', ttl: 60 } : 'missing'),
    { readFile: (path) => files[path] ?? '' },
  );
  expect(await find('one')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  expect(await find('receiver')).toEqual([{ address: '192.0.2.9', family: 4 }]);
  expect(await find('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(questions.every((question) => question.startsWith('receiver.svc.cluster.local'))).toBe(true);
  await expect(find('receiver.')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('never connects to an address that is not public, however the name is resolved', async () => {
  const { lookUp } = await open(() => ({ address: '127.0.0.1', ttl: 60 }));
  const send = createWebhookFetch({ resolve: lookUp });
  const sent = send('http://inner.example:9/', {
    method: 'POST',
    headers: {},
    redirect: 'manual',
    signal: new AbortController().signal,
  });
  await expect(sent).rejects.toMatchObject({ code: 'ERR_REFUSED_TARGET' });
});
