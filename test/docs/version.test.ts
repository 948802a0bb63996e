import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /[.](md|svg)$/.test(file))
    .map((file) => `docs/${file}`),
];
const mention = /(?:on platform |rev: v|"platformVersion": ?"|Platform-Webhook\/)(\d+\.\d+\.\d+)/g;

test('the README, the docs and the images show the current version', () => {
  const mentions = pages.flatMap((page) =>
    [...readFileSync(root + page, 'utf8').matchAll(mention)].map(([, version]) => `${page}: ${version}`),
  );
  expect(mentions.length).toBeGreaterThan(3);
  expect(mentions.filter((line) => !line.endsWith(`: ${manifest.version}`))).toEqual([]);
});
