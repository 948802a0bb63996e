import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pagesToInstallFrom, withInstallText } from '../../scripts/install-text.js';

test('the README and the guides explain how to install the package (npm run generate updates them)', () => {
  const pages = pagesToInstallFrom().map((page) => ({
    page: page.pathname,
    text: readFileSync(page, 'utf8'),
  }));
  const saying = pages.filter(({ text }) => text.includes('<!-- install -->'));
  expect(saying.length).toBeGreaterThanOrEqual(2);
  expect(saying.filter(({ text }) => withInstallText(text) !== text).map(({ page }) => page)).toEqual([]);
});

test('no page contains an install command outside the shared install section', () => {
  const own = pagesToInstallFrom().filter((page) =>
    /npm (install|i|add) .*integration-platform(\s|$)/m.test(
      readFileSync(page, 'utf8').replaceAll(/<!-- install -->[^]*?<!-- \/install -->/g, ''),
    ),
  );
  expect(own.map(({ pathname }) => pathname)).toEqual([]);
});
