import { expect, test } from 'vitest';
import { docsFolder } from '../../src/base/package-files.js';
import { bundleProblems } from '../../src/bundle/index.js';
import { readPage } from '../../src/diagnostics/read-page.js';

test.each(bundleProblems.map(({ code }) => code))('the page for %s has two examples', (code) => {
  const page = readPage(code, docsFolder);
  for (const part of ['Wrong', 'Right', '**Why.**', '```']) expect(page).toContain(part);
});
