import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hashSources } from '../../scripts/pictures/hash-sources.js';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

test('the images in the docs show the current console and the current sample', async () => {
  const recorded = JSON.parse(readFileSync(`${folder}source.json`, 'utf8')) as unknown;
  expect(
    await hashSources(),
    'The console or the sample changed after the pictures were made. Run: npm run pictures',
  ).toEqual(recorded);
});

test('the images in the docs are small enough to load quickly', () => {
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(`${folder}${file}`).size, 0);
  console.log(`pictures: ${Math.ceil(bytes / 1024)} KB`);
  expect(bytes).toBeLessThan(300 * 1024);
});
