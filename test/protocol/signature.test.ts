import { expect, test } from 'vitest';
import { checkSignature, signPayload, verifySignature } from '../../src/protocol/signature.js';

const secret = 'whsec_test_secret_123';
const t = 1_700_000_000;

test.each([
  [
    '{"eventId":"evt_1","type":"page.updated"}',
    t,
    secret,
    '508411040b443173ae991e7231551ebef469460966ca116ee87690c9db4f5dd0',
  ],
  ['', t, secret, '07274ae055cd7d65efe3b9933322fdbc88720fe7248408dc43348fa020bbc303'],
  [
    '{"eventId":"evt_2","title":"Привет 🚀"}',
    t,
    secret,
    '8d52c219dbb9c55aa37b47ac61f876df3dbdd0fb859d3bce43f5678a3384986e',
  ],
  ['{}', 0, secret, '2adaa44db02fa543a6f59f6f9048b7a6dc8fd975fe68d0c8434f24f12b8e082a'],
  ['{"eventId":"evt_1"}', t, 'sécret-🔑', 'ded9fb5b78f9c19adcb1fa28caf1aaf576cf028a0468f42207c0f63d8e41d625'],
])('signs and verifies the test vector %s at the time %i', async (body, timestamp, key, hex) => {
  const header = `t=${timestamp},v1=${hex}`;
  expect(await signPayload(body, key, { timestamp })).toBe(header);
  expect(await verifySignature(body, header, key)).toBe(true);
  expect(await verifySignature(new TextEncoder().encode(body), header, key)).toBe(true);
  expect(await verifySignature(`${body} `, header, key)).toBe(false);
});

const right = '2adaa44db02fa543a6f59f6f9048b7a6dc8fd975fe68d0c8434f24f12b8e082a';
const wrong = right.replace('2', '3');

test.each([
  ['the expected format', `t=0,v1=${right}`],
  ['v1 before t', `v1=${right},t=0`],
  ['an unknown key', `t=0,v0=${wrong},v1=${right}`],
  ['a trailing comma', `t=0,v1=${right},`],
  ['several v1 values, the last one correct', `t=0,v1=${wrong},v1=${right}`],
  ['several v1 values, the first one correct', `t=0,v1=${right},v1=${wrong}`],
  ['an empty v1 next to a correct one', `t=0,v1=,v1=${right}`],
  ['a non-hex v1 next to a correct one', `t=0,v1=${'z'.repeat(64)},v1=${right}`],
])('accepts a signature header with %s', async (_, header) => {
  expect(await checkSignature('{}', header, secret)).toEqual({ valid: true, timestamp: 0 });
});

test.each([
  ['uppercase hex', `t=0,v1=${right.toUpperCase()}`, 'no-signature'],
  ['text after the digits', `t=0,v1=${right}=x`, 'no-signature'],
  ['a space after the comma', `t=0, v1=${right}`, 'no-signature'],
  ['a space before t', ` t=0,v1=${right}`, 'no-timestamp'],
  ['two timestamps', `t=0,t=0,v1=${right}`, 'several-timestamps'],
  ['two timestamps, one of them malformed', `t=0,t=,v1=${right}`, 'several-timestamps'],
  ['a signed timestamp', `t=+0,v1=${right}`, 'bad-timestamp'],
  ['a timestamp of 13 digits', `t=1700000000000,v1=${right}`, 'bad-timestamp'],
  ['a timestamp with a line break', `t=0\n,v1=${right}`, 'bad-timestamp'],
  ['an empty timestamp', `t=,v1=${right}`, 'bad-timestamp'],
  ['no timestamp', `v1=${right}`, 'no-timestamp'],
  ['no v1', 't=0', 'no-signature'],
  ['an empty value', '', 'missing'],
  ['a null value', null, 'missing'],
  ['an undefined value', undefined, 'missing'],
  ['more than 4 KiB', `t=0,v1=${right},${'x'.repeat(4096)}`, 'too-long'],
  ['a wrong digit', `t=0,v1=${wrong}`, 'mismatch'],
  ['a signature that is too short', `t=0,v1=${right.slice(1)}`, 'no-signature'],
  ['only a comma', ',', 'no-timestamp'],
])('rejects a signature header with %s', async (_, header, reason) => {
  expect(await checkSignature('{}', header, secret)).toEqual({ valid: false, reason });
  expect(await verifySignature('{}', header, secret)).toBe(false);
});

test('accepts a signature header that is exactly 4 KiB long', async () => {
  const header = `t=0,v1=${right},`;
  expect(await verifySignature('{}', header + 'x'.repeat(4096 - header.length), secret)).toBe(true);
});

test.each([
  [0, undefined, true],
  [300, 300_000, true],
  [300, 301_000, false],
  [300, 301_999, false],
  [300, 300_999, true],
  [0, 999, true],
  [10, -10_000, true],
  [10, -11_000, false],
])('with a tolerance of %s s, a signature at %s is valid: %s', async (toleranceSeconds, now, valid) => {
  const options = now === undefined ? {} : { toleranceSeconds, now };
  expect(await verifySignature('{}', `t=0,v1=${right}`, secret, options)).toBe(valid);
});

test('reports the age of a signature that is too old or too new', async () => {
  expect(await checkSignature('{}', `t=0,v1=${right}`, secret, { toleranceSeconds: 1, now: 7000 })).toEqual({
    valid: false,
    reason: 'too-old',
    ageSeconds: 7,
  });
  expect(await checkSignature('{}', `t=0,v1=${right}`, secret, { toleranceSeconds: 1, now: -7000 })).toEqual({
    valid: false,
    reason: 'too-new',
    ageSeconds: -7,
  });
});

test('adds a signature for each secret', async () => {
  const one = await signPayload('{}', 'a', { timestamp: 5 });
  const both = await signPayload('{}', ['a', 'b'], { timestamp: 5 });
  expect(both.startsWith(`${one},v1=`)).toBe(true);
  expect(await verifySignature('{}', both, 'a')).toBe(true);
  expect(await verifySignature('{}', both, 'b')).toBe(true);
  expect(await verifySignature('{}', both, 'c')).toBe(false);
});

test.each([-1, 1.5, Number.NaN, 1_700_000_000_000])('rejects the timestamp %s', async (timestamp) => {
  await expect(signPayload('{}', secret, { timestamp })).rejects.toThrow(RangeError);
});

test('rejects every signature if the secret is empty', async () => {
  expect(await checkSignature('{}', `t=0,v1=${'0'.repeat(64)}`, '')).toEqual({
    valid: false,
    reason: 'no-secret',
  });
});

test('signs the raw bytes of a payload instead of the decoded text', async () => {
  const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0xff, 0x00]);
  const header = await signPayload(bytes, secret, { timestamp: 1 });
  expect(await verifySignature(bytes, header, secret)).toBe(true);
  expect(await verifySignature(bytes.buffer, header, secret)).toBe(true);
  expect(await signPayload(bytes.buffer, secret, { timestamp: 1 })).toBe(header);
  expect(await verifySignature(new TextDecoder().decode(bytes), header, secret)).toBe(false);
  expect(await verifySignature(bytes.subarray(3), header, secret)).toBe(false);
});
