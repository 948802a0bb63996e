import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeEnvelope } from '../../src/protocol/envelope/decode-envelope.js';
import { envelopeLimits, largestEnvelope } from '../../src/protocol/envelope/envelope-limits.js';
import { longestHeader, signPayload } from '../../src/protocol/signature.js';
import { createEndpointRegistry } from '../../src/webhooks/endpoint-registry.js';
import { timeoutMs } from '../../src/webhooks/dispatcher.js';
import { mostPerEndpoint } from '../../src/webhooks/queue/request-pool.js';
import { poisonAfter } from '../../src/webhooks/queue/delivery-scheduler.js';
import { defaultToleranceSeconds } from '../../src/webhooks/receive/receiver.js';
import { decide } from '../../src/webhooks/send/retry-schedule.js';
import { mostKept, mostRead } from '../../src/webhooks/send/send-request.js';

const page = readFileSync(new URL('../../docs/reference/protocol.md', import.meta.url), 'utf8');
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);

const refused = { kind: 'error', error: 'refused', message: '' } as const;

/** The delays before each retry, in seconds. */
function delays(random: number): number[] {
  const seconds: number[] = [];
  for (let sent = 0; ; sent++) {
    const decision = decide(refused, sent, () => random);
    if (decision.state !== 'retrying') return seconds;
    seconds.push(decision.delayMs / 1000);
  }
}

async function rotationHours(): Promise<number> {
  const clock = { now: () => 0 } as never;
  const endpoint = { id: 'whe_1', url: 'http://127.0.0.1/', events: ['site_view'], secret: 'a' };
  const known = { ...endpoint, target: { type: 'site', id: 'site_1' } } as never;
  const store = { changeEndpoint: async (_: string, change: (value: unknown) => unknown) => change(known) };
  const rotated = await createEndpointRegistry(store as never, clock, [known]).rotateSecret('whe_1');
  return (rotated.previousSecret?.until ?? 0) / 3_600_000;
}

const kib = (bytes: number): number => bytes / 1024;
const mib = (bytes: number): number => bytes / 1024 / 1024;
const [first, second, third] = delays(0);

test.each<[what: string, text: string]>([
  ['the number of requests', `at most ${delays(0).length + 1} attempts`],
  ['the delays', `are ${first}, ${second} and ${third} seconds`],
  ['the jitter', `random factor from 1.0 to ${(delays(1)[0] ?? 0) / (first ?? 1)}.`],
  ['the maximum header length', `longer than ${longestHeader} characters`],
  ['the tolerance', `by more than ${defaultToleranceSeconds} seconds`],
  ['the rotation period', `both secrets for ${await rotationHours()} hours`],
  ['the timeout', `no complete response within ${timeoutMs / 1000} seconds`],
  ['the largest response', `at most ${kib(mostRead)} KiB of it and shows the first ${kib(mostKept)} KiB`],
  ['the number of concurrent requests', `at most ${mostPerEndpoint} requests are in flight`],
  ['the number of crashes', `crashes the sender ${poisonAfter} times`],
  ['the maximum event size', `| \`event\` | ${mib(envelopeLimits.event)} MiB |`],
  ['the maximum environment size', `| \`environment\` | ${mib(envelopeLimits.environment)} MiB |`],
  ['the maximum body size', `| \`fetch-body\` | ${mib(envelopeLimits['fetch-body'])} MiB |`],
  ['the maximum envelope size', `| the entire envelope | ${mib(largestEnvelope)} MiB |`],
])('the protocol page and the code agree on %s', (_, text) => expect(page).toContain(text));

test.each<[row: string, statuses: number[], outcome: string]>([
  ['2xx', [200, 204, 299], 'delivered'],
  ['429', [429], 'sent again'],
  ['any other 4xx', [400, 401, 408, 410, 499], 'failed'],
  ['3xx', [301, 308], 'failed'],
  ['5xx', [500, 503, 599], 'sent again'],
])('the protocol page shows the correct result for a %s response', (row, statuses, outcome) => {
  const states = {
    delivered: 'delivered',
    failed: 'failed',
    retrying: 'sent again',
    exhausted: '',
    poisoned: '',
  };
  const decided = statuses.map(
    (status) => states[decide({ kind: 'answer', status, body: new Uint8Array() }, 0, () => 0).state],
  );
  expect(new Set(decided)).toEqual(new Set([outcome]));
  expect(page).toContain(`\n| ${row} | ${outcome}`);
});

test('the example signatures in the docs match those that the platform produces', async () => {
  const examples = JSON.parse(blocksOf('json')[0] ?? '[]') as {
    secrets: string[];
    body: string;
    header: string;
  }[];
  expect(examples).toHaveLength(3);
  for (const { secrets, body, header } of examples) {
    const timestamp = Number(/t=(\d+)/.exec(header)?.[1]);
    expect(await signPayload(body, secrets, { timestamp })).toBe(header);
  }
});

test('the example envelope in the docs is valid', async () => {
  const [head = '', ...parts] = (blocksOf('text').find((text) => text.startsWith('POST /v1')) ?? '').split(
    '\n\n',
  );
  const type = /Content-Type: (.*)/.exec(head)?.[1] ?? '';
  const body = parts.join('\n\n').replaceAll('\n', '\r\n');
  const request = new Request('http://127.0.0.1/v1', {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });
  const envelope = await decodeEnvelope(request);
  expect(envelope.event.type).toBe('fetch');
  expect(new TextDecoder().decode(envelope.body)).toBe('hello');
});
