import { expect, test } from 'vitest';
import { refuseAddress } from '../../src/webhooks/send/target-address.js';

test.each([
  ['127.0.0.1', undefined, 'is a loopback address'],
  ['::1', undefined, 'is a loopback address'],
  ['192.168.1.1', undefined, 'is a private address'],
  ['fd12::1', undefined, 'is a private address'],
  ['fe80::1%eth0', undefined, 'is a link-local address'],
  ['ff02::1', undefined, 'is not a public address'],
  ['169.254.169.254', 'is a cloud metadata address', 'is a cloud metadata address'],
  ['fe80::a9fe:a9fe%2', 'is a cloud metadata address', 'is a cloud metadata address'],
  ['example.com', 'is not an IP address', 'is not an IP address'],
  ['8.8.8.8', undefined, undefined],
  ['172.32.0.1', undefined, undefined],
  ['100.128.0.1', undefined, undefined],
  ['2606:4700:4700::1111', undefined, undefined],
  ['64:ff9b::8.8.8.8', undefined, undefined],
  ['2002:808:808::1', undefined, undefined],
])('explains why it rejects %s: %s (any targets), %s (public targets only)', (address, asAny, asPublic) => {
  expect(refuseAddress(address, 'any')).toBe(asAny);
  expect(refuseAddress(address, 'public')).toBe(asPublic);
});
