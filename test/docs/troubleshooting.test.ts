import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/troubleshooting.md'), 'utf8');
/** Messages of the shell and of the bundler. */
const ofOthers = ['platform: command not found', 'Dynamic require of "…" is not supported'];

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n')
  .replaceAll('${manifestFileName}', 'platform-manifest.yaml')
  .replaceAll('The runtime ${name} is', 'The runtime workerd is');

/** The fixed parts of a message; `…` stands for what is different each time. */
const fixedParts = (message: string): string[] =>
  message
    .split('…')
    .map((part) => part.trim().replace(/[.,]$/, ''))
    .filter((part) => part.length > 3);

test('prints every message that is a heading in the troubleshooting guide', () => {
  const messages = [...guide.matchAll(/^### .*?`(.+?)`/gm)]
    .map(([, message = '']) => message)
    .filter((message) => !ofOthers.includes(message));
  console.log(`troubleshooting: ${messages.length} messages in the source`);
  expect(messages.length).toBeGreaterThan(15);
  const missing = messages.flatMap((message) => {
    const parts = fixedParts(message).filter((part) => !sources.includes(part));
    return parts.length > 0 ? [{ message, parts }] : [];
  });
  expect(missing).toEqual([]);
});
