import { expect, test } from 'vitest';
import { renderBanner } from '../../../../src/cli/commands/dev/banner.js';
import { createStyle } from '../../../../src/terminal/style.js';

const publicEndpoint = 'http://127.0.0.1:4100/v1/integrations/hello/installations/installation_1';
const facts = {
  title: 'Hello',
  platformVersion: '0.3.0',
  urls: {
    site: 'http://127.0.0.1:4300/',
    console: 'http://127.0.0.1:4100/',
    envelope: 'http://127.0.0.1:4100/v1',
    api: 'http://127.0.0.1:4100/api',
    publicEndpoint,
  },
  pages: [],
  runtime: { name: 'node' as const },
  readyInMs: 12,
  notes: ['The manifest has no script. The console and webhooks work, but no events are handled.'],
  hotkeys: true,
};
test('keeps a title or a note with line breaks from starting a line of its own', () => {
  const forged = 'Hello\n::error::forged\u001b[2J';
  const text = renderBanner({ ...facts, title: forged, notes: [forged], width: 84 }, createStyle(false));
  expect(text).not.toMatch(/^\s*::error/m);
  expect(text).not.toContain('\u001b');
});

const linesAt = (width: number) => renderBanner({ ...facts, width }, createStyle(false)).split('\n');

test.each([84, 80, 74])('does not wrap any line of the banner at %i columns', (width) => {
  expect(linesAt(width).filter((line) => line.length > width)).toEqual([]);
});

test('puts a URL that does not fit next to its label on its own line', () => {
  expect(linesAt(84)).toContain(`  Public    ${publicEndpoint}`);
  for (const width of [83, 60]) {
    const lines = linesAt(width);
    expect(lines[lines.indexOf('  Public') + 1]).toBe(`  ${publicEndpoint}`);
  }
});
