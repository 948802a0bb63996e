import Mux from '@mux/mux-node';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { nowOn } from '../../src/base/clock.js';
import { signPayload, verifySignature } from '../../src/protocol/signature.js';
import { amount } from '../support/proved.js';
import { seededRandom } from '../support/random.js';

const rounds = amount(1_000, 10_000);
const random = seededRandom(10_000);
const pick = (below: number): number => Math.floor(random() * below);

/** Any text except lone surrogates and the empty string, which another library rejects. */
const text = (longest: number): string =>
  Array.from({ length: 1 + pick(longest) }, () => {
    const code = pick(4) === 0 ? pick(0x110000) : pick(128);
    return String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0x2028 : code);
  }).join('');

const { webhooks } = new Mux({ tokenId: 'a', tokenSecret: 'b' });
const others = {
  stripe: (body: string, header: string, secret: string) =>
    Stripe.webhooks.signature?.verifyHeader(body, header, secret, 300),
  mux: (body: string, header: string, secret: string) =>
    webhooks.verifySignature(body, { 'mux-signature': header }, secret),
};
const accepts = async (verdict: () => unknown): Promise<boolean> => {
  try {
    await verdict();
    return true;
  } catch {
    return false;
  }
};

test("two other libraries accept the platform's signatures and reject altered ones", async () => {
  const now = nowOn();
  const timestamp = Math.floor(now / 1000);
  let disagreements = 0;
  for (let round = 0; round < rounds; round += 1) {
    const body = text(60);
    const secret = `whsec_${text(30)}`;
    const header = await signPayload(body, secret, { timestamp });
    const digit = header.length - 1 - pick(64);
    const changed = header[digit] === '0' ? '1' : '0';
    const altered = header.slice(0, digit) + changed + header.slice(digit + 1);
    const verdicts = await Promise.all([
      verifySignature(body, header, secret, { toleranceSeconds: 300, now }),
      accepts(() => others.stripe(body, header, secret)),
      accepts(() => others.mux(body, header, secret)),
      verifySignature(body, altered, secret).then((valid) => !valid),
      accepts(() => others.stripe(body, altered, secret)).then((valid) => !valid),
      accepts(() => others.mux(body, altered, secret)).then((valid) => !valid),
    ]);
    if (verdicts.includes(false)) disagreements += 1;
  }
  expect(disagreements).toBe(0);
});
