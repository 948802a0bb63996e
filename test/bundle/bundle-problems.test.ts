import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bundleProblems } from '../../src/bundle/index.js';

const docs = new URL('../../docs/', import.meta.url);

test('every bundle problem code has a page, and every page has a code', () => {
  const pages = readdirSync(new URL('bundle', docs)).map((name) => `bundle/${name.replace(/\.md$/, '')}`);
  expect(pages.sort()).toEqual(bundleProblems.map(({ code }) => code as string).sort());
});

test.each(bundleProblems.map(({ code }) => code))(
  'the page for %s has an incorrect and a correct example',
  (code) => {
    const page = readFileSync(new URL(`${code}.md`, docs), 'utf8');
    expect(page.startsWith(`# ${code}\n`)).toBe(true);
    for (const part of ['Wrong', 'Right', '**Why.**', '```']) expect(page).toContain(part);
  },
);
