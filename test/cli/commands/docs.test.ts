import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.js';

const page = readFileSync(new URL('../../../docs/guides/oauth.md', import.meta.url), 'utf8');

test.each(['guides/oauth', 'guides/oauth.md', 'docs/guides/oauth.md', '../guides/oauth.md#refresh'])(
  'prints the page for %s unmodified to a pipe',
  async (address) => {
    expect(await runCli(['docs', address])).toMatchObject({ code: 0, stdout: page });
  },
);

test('prints a page as one JSON document', async () => {
  const { stdout } = await runCli(['docs', 'guides/oauth', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    page: 'guides/oauth',
    title: 'Connect an account with OAuth',
    text: page,
  });
});

test('prints a page without Markdown syntax in a terminal', async () => {
  const { stdout } = await runCli(['docs', 'guides/oauth', '--no-color'], { terminal: true });
  expect(stdout).toMatch(/^Connect an account with OAuth\n\n/);
  expect(stdout).not.toContain('```');
});

test('prints the best match, five other pages and the next command for search terms', async () => {
  const { stdout, code } = await runCli(['docs', 'refresh', 'token']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^guides\/oauth: /);
  const [, others = ''] = stdout.split('\nmore pages\n');
  expect(others.match(/^ {2}\S+ {2,}\S/gm)).toHaveLength(5);
  expect(stdout).toMatch(/\nnext: platform docs guides\/oauth\n$/);
});

test('does not repeat the best match among the other pages', async () => {
  const { stdout } = await runCli(['docs', 'refresh token', '--json']);
  const { best, more, next } = JSON.parse(stdout) as {
    best: { page: string; text: string };
    more: { page: string }[];
    next: string;
  };
  expect(page).toContain(best.text);
  expect(next).toBe(`platform docs ${best.page}`);
  expect(more.map((other) => other.page)).not.toContain(best.page);
});

test('prints the list of pages if there are no search terms', async () => {
  const { stdout } = await runCli(['docs']);
  expect(stdout).toContain('# Documentation');
  expect(stdout).toContain('guides/oauth.md');
});

test.each<[words: string[], message: string, hint: string]>([
  [['guides/oath'], 'Page not found: "guides/oath".', 'Did you mean "guides/oauth"?'],
  [['guide/testing'], 'Page not found: "guide/testing".', 'Did you mean "guides/testing"?'],
  [['oauth.md'], 'Page not found: "oauth".', 'Did you mean "guides/oauth"?'],
  [['../../zzz'], 'Page not found: "zzz".', 'List the pages with: platform docs'],
  [
    ['banana', 'umbrella'],
    'No page matches "banana umbrella".',
    'Try other words, or list the pages with: platform docs',
  ],
  [['the', 'of'], 'No page matches "the of".', 'Try other words'],
])('finds no page for %j, and suggests what to try', async (words, message, hint) => {
  const { code, stderr } = await runCli(['docs', ...words]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});
