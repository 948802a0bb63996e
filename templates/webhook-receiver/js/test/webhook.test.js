import { createTestPlatform } from 'integration-platform/testing';
import { signPayload } from 'integration-platform/webhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';

const secret = 'whsec_for_tests';
/** @type {import('integration-platform/testing').TestPlatform} */
let platform;

beforeEach(async () => {
  platform = await createTestPlatform({ integration, secrets: { WEBHOOK_SECRET: secret } });
  await platform.install();
});

afterEach(() => platform.close());

/**
 * Sends an event, signed with `key` as the platform would sign it.
 *
 * @param {object} event
 */
async function deliver(event, key = secret) {
  const body = JSON.stringify(event);
  const signature = await signPayload(body, key, { timestamp: Math.floor(Date.now() / 1000) });
  return platform.fetch('/webhook', { method: 'POST', body, headers: { 'X-Platform-Signature': signature } });
}

/** @param {string} eventId */
const update = (eventId) => ({
  eventId,
  type: 'space_content_updated',
  installationId: 'installation-1',
  spaceId: 'space-1',
  revisionId: 'revision-7',
});

const logged = () => platform.logs().map(({ text }) => text);

test('handles an event with a valid signature', async () => {
  const response = await deliver(update('event-1'));
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(await response.json()).toEqual({ received: true });
  await platform.settled();
  expect(logged()).toEqual(['[webhook] Space space-1 has the new revision revision-7']);
});

test('handles an event only once, even if it arrives twice', async () => {
  await deliver(update('event-2'));
  const again = await deliver(update('event-2'));
  expect(await again.json()).toEqual({ received: true });
  await platform.settled();
  expect(logged()).toHaveLength(1);
});

test('rejects an invalid signature', async () => {
  const response = await deliver(update('event-3'), 'another secret');
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: 'Invalid signature' });
  await platform.settled();
  expect(logged()).toEqual([]);
});

test('accepts only POST', async () => {
  const response = await platform.fetch('/webhook');
  expect(response.status).toBe(405);
  expect(await response.text()).toBe('Method not allowed');
});

test('responds with 404 to other paths', async () => {
  expect((await platform.fetch('/elsewhere')).status).toBe(404);
});
