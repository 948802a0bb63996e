import { expect, test } from 'vitest';
import { docsFolder } from '../../src/base/package-files.js';
import { ruleRegistry } from '../../src/cli/context/rule-registry.js';
import { listCodes, readPage } from '../../src/diagnostics/read-page.js';

test('every rule code has a page, and every page has a rule code', async () => {
  expect(listCodes(docsFolder)).toEqual(ruleRegistry.map(({ code }) => code));
});

test.each(ruleRegistry)(
  'the section for $code begins with its name, its severity unless it is an error, and a sentence',
  ({ code, severity }) => {
    const line = severity === 'error' ? '(?!Severity)' : `Severity: ${severity}.\n\n`;
    expect(readPage(code, docsFolder)).toMatch(new RegExp(`^# ${code}\n\n${line}\\S.*[.:]\n`));
  },
);
