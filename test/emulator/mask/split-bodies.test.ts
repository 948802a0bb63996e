import { expect, it } from 'vitest';
import { createSecrets } from '../../../src/emulator/state/platform-secrets.js';
import { createRegistry } from '../../../src/emulator/state/registry.js';
import { createVirtualClock } from '../../../src/base/clock.js';
import { defaultWorkspace } from '../../../src/protocol/workspace.js';
import { createMemoryStore } from '../../../src/store/store.js';
import { secretForms } from '../../support/secret-forms.js';
import { integration } from '../emulator-under-test.js';

const { state } = createMemoryStore(createVirtualClock());
const registry = createRegistry({ integration, workspace: defaultWorkspace, state });

function createMasked(own: string[]): (chunks: string[]) => string {
  const secrets = createSecrets(registry, own);
  return (chunks) => {
    const mask = secrets.bodyMask();
    const pieces = [...chunks.map((chunk) => mask(Buffer.from(chunk))), mask()];
    return Buffer.concat(pieces.filter((piece) => piece !== undefined)).toString();
  };
}

it('masks a secret that begins with another secret, wherever the chunks are split', () => {
  const secrets = ['hunter', 'hunter2-and-all-the-rest'];
  const masked = createMasked(secrets);
  const text = `head ${secrets[1]} ${secrets[0]}2-and tail`;
  for (let at = 0; at <= text.length; at += 1)
    expect(masked([text.slice(0, at), text.slice(at)])).toBe('head ••• •••2-and tail');
});

it('masks the same text whether the body arrives whole or in chunks', () => {
  let seed = 20_261_123;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const word = (longest: number): string =>
    Array.from({ length: 4 + random(longest - 3) }, () => 'ab-'[random(3)]).join('');
  for (let round = 0; round < 20; round += 1) {
    const short = word(6);
    const secrets = [short, short + word(12), word(5) + short, `${short}${short}`, word(9)];
    const masked = createMasked(secrets);
    const text = Array.from(
      { length: 12 },
      () => `${secrets[random(5)]?.slice(random(3))}${'ab-x'[random(4)]}`,
    ).join('');
    const chunks: string[] = [];
    for (let at = 0; at < text.length;) {
      const end = at + 1 + random(20);
      chunks.push(text.slice(at, end));
      at = end;
    }
    expect(masked(chunks), JSON.stringify({ secrets, chunks })).toBe(masked([text]));
  }
});

it('masks every encoding of a secret, wherever the chunks are split', () => {
  const secret = 'pä55-Word';
  const hidden = createSecrets(registry, [secret]);
  const bytes = Buffer.from(secret);
  const forms = [
    // In a body, the numbers of bytes have to begin with the secret.
    ...Object.entries(secretForms)
      .filter(([name]) => name !== 'as numbered bytes after others')
      .map(([, write]) => Buffer.from(write(secret))),
    Buffer.from(secret, 'latin1'),
    Buffer.from([...bytes].map((byte) => `%${byte.toString(16)}`).join('')),
  ];
  for (const form of forms) {
    const body = Buffer.concat([Buffer.from('head '), form, Buffer.from(' tail')]);
    const shown = Array.from({ length: body.length + 1 }, (_, at) => {
      const mask = hidden.bodyMask();
      const pieces = [mask(body.subarray(0, at)), mask(body.subarray(at)), mask()];
      return Buffer.concat(pieces.filter((piece) => piece !== undefined)).toString();
    });
    expect(new Set(shown), form.toString('latin1')).toEqual(new Set([shown[0]]));
    expect(shown[0]).toMatch(/^head .*•••.* tail$/);
    expect(shown[0], form.toString('latin1')).not.toMatch(/word|55/i);
  }
});
