import { expect, test } from 'vitest';
import { encodeFrame, type FrameKind } from '../../src/sandbox/wire/frames.js';
import { startLiveEmulator } from '../support/live-emulator.js';
import { integration } from '../emulator/emulator-under-test.js';

/** The descriptors that a script's process inherits: output, errors, orders and reports, the watchdog's, calls. */
const inherited = [1, 2, 3, 4, 5];

const line = (value: unknown): string => JSON.stringify(`${JSON.stringify(value)}\n`);
const log = (entry: unknown): string => line({ type: 'log', entry });
const whole = { callId: 'c', level: 'info', text: 'forged', time: 0 };
/** The same for every exchange that there may be. */
const frames = (...parts: [kind: FrameKind, head: unknown][]): string => {
  const bytes = parts.map(([kind, head]) => encodeFrame(0, kind, 0, head).toString('hex'));
  return `forge(${JSON.stringify(bytes)})`;
};

/** What is written, as an expression of the script. */
const writings: Record<string, string> = {
  garbage: `'\\xff\\0garbage\\n'.repeat(200)`,
  'no end of a line': `'x'`,
  'a line of 3 MB': `'x'.repeat(3e6) + '\\n'`,
  null: line(null),
  'a number': line(7),
  'a log without an entry': line({ type: 'log' }),
  'a log of null': log(null),
  'a log of the wrong level': log({ ...whole, level: '__proto__' }),
  'a log without text': log({ ...whole, text: { length: 1e9 } }),
  'a log of no time': log({ ...whole, time: 1e300 }),
  'a log of a call that is no text': log({ ...whole, callId: [] }),
  'an outbound call without an address': line({ type: 'outbound', entry: { ...whole, method: 'GET' } }),
  'a load that failed': line({ type: 'load-failed' }),
  'an unknown report': line({ type: 'constructor' }),
  nesting: `'['.repeat(200_000) + '\\n'`,
  'a frame of 4 GB': `Buffer.from('ffffffff0000000000000000', 'hex')`,
  'a frame of nothing': `Buffer.alloc(64)`,
  'an answer of null': frames(['whole', null]),
  'an answer without headers': frames(['whole', { status: 200 }]),
  'an answer with a status of 99': frames(['whole', { status: 99, headers: [] }]),
  'a header with a line break': frames(['whole', { status: 200, headers: [['a', 'b\r\nc: d']] }]),
  'an end before the beginning': frames(['end', null]),
  'two beginnings': frames(['head', { status: 200, headers: [] }], ['head', { status: 200, headers: [] }]),
  'more room than there is': frames(['room', 1e9]),
  'an abort with an object': frames(['abort', { toString: 1 }]),
};

const named = Object.entries(writings).map(([what, written]) => `${JSON.stringify(what)}: () => ${written}`);

const source = `
  // The bundler would refuse a literal.
  const { closeSync, writeSync } = await import(['node', 'fs'].join(':'));
  const forge = (parts) => {
    const exchanges = Array.from({ length: 400 }, (_, exchange) => parts.map((part) => {
      const bytes = Buffer.from(part, 'hex');
      bytes.writeUInt32LE(exchange, 9);
      return bytes;
    }));
    return Buffer.concat(exchanges.flat());
  };
  const writings = { ${named.join()} };
  const close = (fd) => { try { closeSync(fd); } catch {} };
  export default {
    async fetch(request) {
      const form = await request.formData();
      const body = await form.get('fetch-body')?.text();
      if (!body) return new Response('fine');
      const { fd, what } = JSON.parse(body);
      if (what === 'close') close(fd);
      else if (what === 'close all') for (let each = 0; each < 64; each += 1) close(each);
      // A pipe that is full takes no more: what matters is what has arrived.
      else try { writeSync(fd, writings[what]()); } catch {}
      await new Promise((resolve) => setTimeout(resolve, 10));
      return new Response('survived');
    },
  };`;

test("ends only the script's own process if the script writes to an inherited descriptor", async () => {
  const live = await startLiveEmulator(source, { integration });
  const endpoint = `${live.origin}/v1/integrations/sample`;
  const attacks = inherited.flatMap((fd) =>
    [...Object.keys(writings), 'close'].map((what) => ({ fd, what })),
  );
  let ended = 0;
  try {
    for (const attack of [...attacks, { fd: 0, what: 'close all' }]) {
      const before = live.childPid();
      const response = await fetch(endpoint, { method: 'POST', body: JSON.stringify(attack) });
      await response.text().catch(() => {});
      const next = await (await fetch(endpoint)).text();
      expect({ ...attack, next }).toEqual({ ...attack, next: 'fine' });
      if (live.childPid() !== before) ended += 1;
    }
  } finally {
    await live.close();
  }
  const all = attacks.length + 1;
  console.log(`script's pipes: ${all} of ${all} attacks outlived, ${ended} ended the script's process alone`);
});
