import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openLink } from '../../src/console/live/next-session.js';
import { formatLastSession, openHandover, readLastSession } from '../../src/dev/handover.js';
import { freePort } from '../support/free-port.js';

const nonce = 'ab'.repeat(16);
const link = 'http://127.0.0.1:41000/#key=next';
const streamSecret = 'start_secret';
let close = async (): Promise<void> => {};
afterEach(() => close());

async function nextAfter(consoleOrigin: string, own: string) {
  const handover = await openHandover(
    { consoleOrigin, streamSecret },
    { consoleOrigin: own, link, timers: systemClock },
  );
  ({ close } = handover);
  return handover;
}
const ask = (origin: string, sent = nonce): Request =>
  new Request(`${origin}/console/api/handover?nonce=${sent}`);

test('gives the new link only to a tab that knows the secret, for its address and its request', async () => {
  const last = `http://127.0.0.1:${await freePort()}`;
  const { respond } = await nextAfter(last, 'http://127.0.0.1:41000');
  // The session itself is elsewhere, so a program that passes on a request for the old address gets nothing.
  expect(respond(ask(last))).toBeUndefined();

  const sealed = await (await fetch(ask(last))).text();
  expect(sealed).not.toContain('key');
  const rightly = { secret: streamSecret, origin: last, nonce };
  expect(await openLink(sealed, rightly)).toBe(link);
  for (const wrong of [
    { secret: 'start_guess' },
    { origin: 'http://127.0.0.1:41000' },
    { nonce: 'cd'.repeat(16) },
  ])
    await expect(openLink(sealed, { ...rightly, ...wrong })).rejects.toThrow();
  expect((await fetch(ask(last, 'short'))).status).toBe(400);
  expect((await fetch(`${last}/console/`)).status).toBe(404);
});

test('responds at the address of the console itself if the address has not changed', async () => {
  const own = 'http://127.0.0.1:41000';
  const { respond } = await nextAfter(own, own);
  const sealed = (await respond(ask(own))?.text()) ?? '';
  expect(await openLink(sealed, { secret: streamSecret, origin: own, nonce })).toBe(link);
  expect(respond(new Request(`${own}/console/api/overview`))).toBeUndefined();
});

test('starts without a handover if another program uses the old address or the file is unreadable', async () => {
  const last = `http://127.0.0.1:${await freePort()}`;
  const first = await nextAfter(last, 'http://127.0.0.1:41000');
  const second = await nextAfter(last, 'http://127.0.0.1:41001');
  await second.close();
  close = first.close;
  for (const text of [undefined, '', 'http://127.0.0.1:1', 'nonsense\nsecret'])
    expect(readLastSession(text)).toBeUndefined();
  const session = { consoleOrigin: last, streamSecret };
  expect(readLastSession(formatLastSession(session))).toEqual(session);
});
