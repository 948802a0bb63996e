import { expect, test } from 'vitest';
import { renderJson } from '../../../src/diagnostics/report/render-json.js';
import { finding, report, view } from '../sample-report.js';

test('writes only the documented JSON fields', () => {
  const extra = { secretText: 'sk_live_1' };
  const text = renderJson(
    report(
      { ...finding('error', '3:1-3:11', 'Wrong.', { help: 'Right.' }), ...extra },
      finding('warning', undefined, 'Hm.'),
    ),
    view(''),
  );
  expect(JSON.parse(text)).toEqual({
    version: 1,
    ok: false,
    files: ['platform-manifest.yaml'],
    summary: { errors: 1, warnings: 1, infos: 0 },
    diagnostics: [
      { code: 'manifest/unknown-key', severity: 'warning', message: 'Hm.', file: 'platform-manifest.yaml' },
      {
        code: 'manifest/unknown-key',
        severity: 'error',
        message: 'Wrong.',
        help: 'Right.',
        file: 'platform-manifest.yaml',
        range: { start: { line: 3, column: 1 }, end: { line: 3, column: 11 } },
      },
    ],
    next: 'platform explain manifest/unknown-key',
  });
  expect(text.endsWith('}\n')).toBe(true);
});
