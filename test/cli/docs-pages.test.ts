import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsFolder } from '../../src/base/package-files.js';
import { ruleRegistry } from '../../src/cli/context/rule-registry.js';
import { listCodes } from '../../src/diagnostics/read-page.js';

test('every rule code has a page, and every page has a rule code', async () => {
  expect(listCodes(docsFolder)).toEqual(ruleRegistry.map(({ code }) => code));
});

test.each(ruleRegistry)('the page for $code begins with its name and a sentence', ({ code }) => {
  const page = readFileSync(new URL(`${code}.md`, docsFolder), 'utf8');
  expect(page).toMatch(new RegExp(`^# ${code}\\n\\n\\S.*[.:]\\n`));
});
