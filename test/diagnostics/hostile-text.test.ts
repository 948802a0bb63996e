import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReport, renderReport, reportFormats } from '../../src/diagnostics/index.js';
import { textWidth } from '../../src/terminal/text-width.js';
import { view } from './sample-report.js';

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001B',
      '\u009B',
      '\u0007',
      '\0',
      '\r',
      '\n',
      '\t',
      '\u202E',
      '\uFEFF',
      '\uD800',
      '%',
      ':',
      ']]>',
    ),
    fc.constantFrom('漢', '🚀', 'e\u0301', '\u200D', '👩‍👩‍👧', ' '),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
  maxLength: 60,
});
const position = fc.record({ line: fc.integer({ min: 1, max: 9 }), column: fc.integer({ min: 1, max: 90 }) });
const place = fc
  .tuple(position, position)
  .map(([a, b]) => (a.line < b.line || (a.line === b.line && a.column <= b.column) ? [a, b] : [b, a]))
  .map(([start = { line: 1, column: 1 }, end = start]) => ({ start, end }));
const diagnostic = fc.record(
  {
    code: fc.constant('manifest/x'),
    severity: fc.constantFrom('error', 'warning', 'info'),
    message: nasty,
    help: nasty,
    file: nasty.map((name) => `/work/${name.replaceAll('\0', '')}`),
    range: place,
  },
  { requiredKeys: ['code', 'severity', 'message', 'file'] },
);

/** Every character that can move the cursor, change colors or reorder text, except the line feed. */
const raw = /(?!\n)[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

test.each(reportFormats)('escapes untrusted text for the terminal in %s output', async (format) => {
  await fc.assert(
    fc.asyncProperty(fc.array(diagnostic, { maxLength: 4 }), nasty, async (diagnostics, text) => {
      const shown = await renderReport(format, createReport(['/work/m.yaml'], diagnostics), view(text));
      expect(shown).not.toMatch(raw);
      if (format === 'json' || format === 'sarif') JSON.parse(shown);
    }),
    { numRuns: 200 },
  );
});

const tag =
  /<\/?(?:testsuites?|testcase|failure|system-out|\?xml)(?: [a-z]+="[^"<>&]*(?:&(?:amp|lt|gt|quot|apos|#10);[^"<>&]*)*")*\s*[/?]?>/g;

test('writes well-formed JUnit output for untrusted text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(diagnostic, { maxLength: 4 }), async (diagnostics) => {
      const shown = await renderReport('junit', createReport(['/work/m.yaml'], diagnostics), view(''));
      const text = shown.replace(tag, '');
      expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|apos|#10);)/);
    }),
    { numRuns: 200 },
  );
});

test('never prints untrusted text as a workflow command', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(diagnostic, { maxLength: 9 }), async (diagnostics) => {
      const report = createReport(['/work/m.yaml'], diagnostics);
      const lines = (await renderReport('github', report, view(''))).trimEnd().split('\n');
      expect(lines).toHaveLength(report.diagnostics.length + 1);
      for (const line of lines.slice(0, -1))
        expect(line).toMatch(
          /^::(?:error|warning|notice) file=[^:,]*,title=manifest\/x(?:,[a-zA-Z]+=\d+)*::/,
        );
    }),
    { numRuns: 200 },
  );
});

test('keeps code frames within the width limit, and never reveals masked text', async () => {
  const canary = 'CANARY';
  await fc.assert(
    fc.asyncProperty(
      place,
      nasty,
      nasty,
      fc.integer({ min: 40, max: 120 }),
      async (range, before, behind, width) => {
        const head = before.replaceAll('\n', ' ');
        const text = `a: 1\n${head}${canary}${behind}`;
        const line = { line: 2, column: head.length + 1 };
        const masks = [{ start: line, end: { ...line, column: line.column + canary.length } }];
        const finding = { code: 'a/b', severity: 'error', message: 'm', file: '/work/m', range } as const;
        const shown = await renderReport('text', createReport(['/work/m'], [finding]), {
          ...view(text, { width, source: () => ({ text, masks }) }),
        });
        expect(shown).not.toContain(canary);
        for (const shownLine of shown.split('\n')) expect(textWidth(shownLine)).toBeLessThanOrEqual(width);
      },
    ),
    { numRuns: 500 },
  );
});
