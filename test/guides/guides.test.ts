import { expect, test } from 'vitest';
import { allPages } from '../support/code-blocks.js';
import { isGuide, runGuide } from '../support/guide.js';

const guides = allPages().filter((page) => page.startsWith('docs/guides/') && isGuide(page));

test.concurrent.each(guides)('every step in %s works', async (page) => {
  const start = performance.now();
  const { steps, files } = await runGuide(page);
  console.log(
    `${page}: ${steps} steps, ${files} files, ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
  expect(steps + files).toBeGreaterThan(0);
});
