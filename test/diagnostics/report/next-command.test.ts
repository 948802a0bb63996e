import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/model/diagnostic.js';
import { nextCommand } from '../../../src/diagnostics/report/next-command.js';
import { finding } from '../sample-report.js';

const fix: NonNullable<Diagnostic['fix']> = [];

test('suggests --fix with the path of a file that has a fixable problem', () => {
  const file = "/work/the team's/platform-manifest.yaml";
  const found = [finding('error', '1:1', 'First.'), finding('warning', '2:1', 'Fixable.', { fix, file })];
  expect(nextCommand(found, '/work')).toBe(
    String.raw`platform validate --fix 'the team'\''s/platform-manifest.yaml'`,
  );
});

test('suggests the command that explains the first error, or the first warning if there are no errors', () => {
  const warning = finding('warning', '1:1', 'Hm.', { code: 'manifest/long-summary' });
  const error = finding('error', '9:1', 'Wrong.', { code: 'manifest/unknown-key' });
  expect(nextCommand([warning, error], '/work')).toBe('platform explain manifest/unknown-key');
  expect(nextCommand([warning], '/work')).toBe('platform explain manifest/long-summary');
});

test('suggests no command if there are only notes or no problems', () => {
  expect(nextCommand([finding('info', '1:1', 'By the way.', { fix })], '/work')).toBeUndefined();
  expect(nextCommand([], '/work')).toBeUndefined();
});
