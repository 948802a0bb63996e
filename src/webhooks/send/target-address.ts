/** `any`: all addresses except those of cloud metadata services. `public`: only public internet addresses. */
export type Targets = 'any' | 'public';

/**
 * Returns why requests to this IP address are blocked, or undefined if they are allowed. Accepts all address formats
 * that are valid in a URL.
 */
export function refuseAddress(address: string, targets: Targets): string | undefined {
  const bytes = parseAddress(address);
  if (!bytes) return 'is not an IP address';
  for (const form of [bytes, ...embedded(bytes)]) {
    if (metadata.some((range) => isIn(form, range))) return 'is a cloud metadata address';
    if (targets === 'any') continue;
    const found = notPublic.find(({ range }) => isIn(form, range));
    if (found) return `is ${found.what}`;
  }
  if (targets === 'public' && bytes.length === 16 && !reachable.some((range) => isIn(bytes, range)))
    return 'is not a public address';
  return undefined;
}

/** Blocks the host names of metadata services before any DNS lookup. */
export function refuseName(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return metadataNames.includes(name) ? 'is the name of a cloud metadata service' : undefined;
}

const metadataNames = [
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
];

type Bytes = readonly number[];

interface Range {
  bytes: Bytes;
  bits: number;
}

/** The WHATWG URL parser understands unusual formats such as `0xA9FEA9FE`, `2852039166` and `0251.0376.43518`. */
function parseAddress(text: string): Bytes | undefined {
  // Most addresses use the standard format, which is faster to parse without a URL.
  if (usualVersion4.test(text)) return text.split('.').map(Number);
  const withoutZone = text.replace(/^\[|\]$/g, '').replace(/%.*/s, '');
  const url = `http://${withoutZone.includes(':') ? `[${withoutZone}]` : withoutZone}/`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  if (/^[\d.]+$/.test(hostname)) return hostname.split('.').map(Number);
  return hostname.startsWith('[') ? parseVersion6(hostname.slice(1, -1)) : undefined;
}

const usualVersion4 = /^(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/;

function parseVersion6(text: string): Bytes {
  const [before = [], after = []] = text.split('::').map((half) => half.split(':').filter(Boolean));
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

const range = (text: string): Range => {
  const [address = '', bits] = text.split('/');
  const bytes = parseAddress(address) ?? [];
  return { bytes, bits: bits === undefined ? bytes.length * 8 : Number(bits) };
};

const isIn = (address: Bytes, { bytes, bits }: Range): boolean =>
  address.length === bytes.length &&
  bytes.every((byte, at) => {
    const open = Math.min(8, Math.max(0, (at + 1) * 8 - bits));
    return byte >> open === (address[at] ?? 0) >> open;
  });

/**
 * IPv6 addresses that contain an IPv4 address. A gateway, a tunnel or the operating system forwards requests to that IPv4
 * address.
 */
const carriers: { range: Range; read(bytes: Bytes): Bytes }[] = [
  // Mapped, translated (SIIT) and compatible addresses.
  ...['::ffff:0:0/96', '::ffff:0:0:0/96', '::/96', '64:ff9b::/96'].map((text) => ({
    range: range(text),
    read: (bytes: Bytes) => bytes.slice(12),
  })),
  // NAT64 with a network-specific prefix. The IPv4 address skips the ninth byte or is in the last four bytes.
  { range: range('64:ff9b:1::/48'), read: (bytes) => [...bytes.slice(6, 8), ...bytes.slice(9, 11)] },
  { range: range('64:ff9b:1::/48'), read: (bytes) => bytes.slice(12) },
  // 6to4, and the server and client of Teredo.
  { range: range('2002::/16'), read: (bytes) => bytes.slice(2, 6) },
  { range: range('2001::/32'), read: (bytes) => bytes.slice(4, 8) },
  { range: range('2001::/32'), read: (bytes) => bytes.slice(12).map((byte) => byte ^ 255) },
];

const embedded = (bytes: Bytes): Bytes[] => [
  ...carriers.filter((carrier) => isIn(bytes, carrier.range)).map(({ read }) => read(bytes)),
  // ISATAP with any prefix.
  ...(bytes.length === 16 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
    ? [bytes.slice(12)]
    : []),
];

const metadata = [
  // AWS, Azure, Google, Oracle, DigitalOcean and most others, and the credentials endpoints of ECS and EKS.
  '169.254.169.0/24',
  '169.254.170.0/24',
  // Scaleway, Tencent, Alibaba, the Azure host and Oracle's first cloud.
  '169.254.42.42',
  '169.254.0.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  // AWS, Google, Scaleway, Oracle, OpenStack.
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  'fe80::a9fe:a9fe',
].map(range);

const notPublic = Object.entries({
  'a loopback address': ['127.0.0.0/8', '::1'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10', 'fec0::/10'],
  'a reserved address': [
    '0.0.0.0/8',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
    '2001::/23',
    '2001:db8::/32',
    '3fff::/20',
    '64:ff9b:1::/48',
  ],
}).flatMap(([what, ranges]) => ranges.map((text) => ({ what, range: range(text) })));

/**
 * The only reachable parts of IPv6: the allocated range, and the range that networks without IPv4 use to reach public IPv4
 * addresses.
 */
const reachable = ['2000::/3', '64:ff9b::/96'].map(range);
