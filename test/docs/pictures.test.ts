import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

test('the images in the docs are small enough to load quickly', () => {
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(`${folder}${file}`).size, 0);
  console.log(`pictures: ${Math.ceil(bytes / 1024)} KB`);
  expect(bytes).toBeLessThan(300 * 1024);
});
