import { expect, test, vi } from 'vitest';
import { createIntegration } from '../../../src/runtime/index.js';
import { amount } from '../../support/proved.js';
import { seededRandom } from '../../support/random.js';

const rounds = amount(4_000, 20_000);
const random = seededRandom(20_000);
const pick = (below: number): number => Math.floor(random() * below);

const whole = Buffer.concat([
  Buffer.from('--B0undary\r\nContent-Disposition: form-data; name="event"\r\n\r\n'),
  Buffer.from('{"type":"fetch","request":{"url":"http://a/","method":"POST","headers":{}}}\r\n'),
  Buffer.from('--B0undary\r\nContent-Disposition: form-data; name="environment"\r\n\r\n{}\r\n'),
  Buffer.from('--B0undary\r\nContent-Disposition: form-data; name="fetch-body"; filename="b"\r\n\r\n'),
  Buffer.from([0, 13, 10, 45, 45, 255, 66, 48]),
  Buffer.from('\r\n--B0undary--\r\n'),
]);
const pieces = ['\r\n', '--', '--B0undary', '\r\n--B0undary--', '"', '; name="event"', '\0', 'é', '}', '\r'];

function mutate(bytes: Buffer): Buffer {
  const at = pick(bytes.length);
  const end = at + pick(20);
  switch (pick(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(pieces[pick(pieces.length)] ?? ''),
        bytes.subarray(at),
      ]);
    default: {
      const copy = Buffer.from(bytes);
      copy[at] = pick(256);
      return copy;
    }
  }
}

/** Parses a multipart body by splitting text: slow, but independent of the reader under test. */
function fieldsOf(bytes: Buffer): Map<string, string> | undefined {
  const [, ...sections] = `\r\n${bytes.toString('latin1')}`.split('\r\n--B0undary');
  const end = sections.findIndex((section) => section.startsWith('--'));
  if (end === -1) return undefined;
  const fields = new Map<string, string>();
  for (const section of sections.slice(0, end)) {
    const [, head, value] = /^[ \t]*((?:\r\n[^\r]*(?:\r(?!\n)[^\r]*)*)*?)\r\n\r\n(.*)$/s.exec(section) ?? [];
    const disposition = /\r\ncontent-disposition:\s*form-data\s*;([^\r\n]*)/i.exec(head ?? '')?.[1] ?? '';
    const [name, ...others] = [...disposition.matchAll(/(?<=^\s*|;\s*)name="?([^";]*)/gi)].map(
      (match) => match[1],
    );
    if (value === undefined || name === undefined || others.length > 0) return undefined;
    if (fields.has(name) && /^(event|environment|fetch-body)$/.test(name)) return undefined;
    fields.set(name, value);
  }
  return fields;
}

test('keeps running after thousands of mutated bodies, and responds with a 2xx status only to complete ones', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  let seen: string | undefined;
  const script = createIntegration({
    fetch: async (request) => {
      seen = Buffer.from(await request.arrayBuffer()).toString('latin1');
      return new Response('made');
    },
  });
  const statuses: Record<number, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    let bytes = mutate(whole);
    for (let more = pick(3); more > 0; more -= 1) bytes = bytes.length > 0 ? mutate(bytes) : bytes;
    seen = undefined;
    const response = await script.fetch(
      new Request('http://script.internal/v1', {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=B0undary' },
        body: new Uint8Array(bytes),
      }),
    );
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status !== 200) continue;
    const fields = fieldsOf(bytes);
    expect(fields?.has('event') && fields.has('environment'), JSON.stringify(bytes.toString('latin1'))).toBe(
      true,
    );
    expect(seen, JSON.stringify(bytes.toString('latin1'))).toBe(fields?.get('fetch-body') ?? '');
  }
  expect(Object.keys(statuses).toSorted((a, b) => Number(a) - Number(b))).toEqual(['200', '400', '406']);
  expect(statuses[200]).toBeGreaterThan(rounds / 40);
});
