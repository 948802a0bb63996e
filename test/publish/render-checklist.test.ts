import { expect, test } from 'vitest';
import { createStyle } from '../../src/terminal/style.js';
import { renderChecklist, renderMarkdown } from '../../src/publish/index.js';
import { check, createProject, manifest } from './project-under-check.js';

const project = () =>
  createProject({
    'platform-manifest.yaml': manifest
      .replace('visibility: public', 'visibility: private')
      .replace('title: Weather\n', 'title: "<b>*Weather*|@all</b>"\n'),
  });

async function checklistOf(fixture: Awaited<ReturnType<typeof createProject>>): Promise<string> {
  const checked = await check(fixture);
  return renderChecklist(checked, {
    cwd: fixture.path,
    width: 80,
    style: createStyle(false),
    source: (file) => checked.sources.get(file),
    rules: [],
    version: '1.0.0',
  });
}

test('prints the checklist in a terminal', async () => {
  await using fixture = await project();
  const text = await checklistOf(fixture);
  expect(text).toMatch(/^pass {4}Manifest +The manifest is valid\.\n/);
  const [, row = ''] = /\n(fail {4}Visibility [^]*?)\n\w/.exec(text) ?? [];
  const column = row.indexOf('The visibility');
  const [first, ...others] = row.split('\n');
  expect(first).toBe(`${'fail    Visibility'.padEnd(column)}The visibility is private.`);
  expect(others.map((line) => line.search(/\S/))).toEqual(others.map(() => column));
  expect(others.map((line) => line.trim()).join(' ')).toBe(
    'The integration cannot be published to the marketplace, because it is private: only its own organization ' +
      'can install it. (project/platform-manifest.yaml:7, publish/visibility) ' +
      'Set "visibility: public", or choose another destination with --target organization.',
  );
  expect(text).toMatch(/\n\d+ pass, 0 warn, 1 fail, 2 review, 2 skipped\.\n$/);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('prints the evidence below the title in a narrow terminal', async () => {
  await using fixture = await project();
  const view = { cwd: fixture.path, width: 40, style: createStyle(false), rules: [], version: '1.0.0' };
  const text = await renderChecklist(await check(fixture), { ...view, source: () => undefined });
  const checklist = text.slice(text.indexOf('pass    Manifest'));
  expect(checklist).toMatch(/^pass {4}Manifest\n {8}The manifest is valid\.\n/);
  const long = checklist.split('\n').filter((line) => line.length > 40);
  expect(long.filter((line) => line.trim().includes(' '))).toEqual([
    expect.stringMatching(/^\d+ pass, 0 warn, 1 fail, 2 review, 2 skipped\.$/),
  ]);
});

test("escapes the author's text in the checklist for a pull request", async () => {
  await using fixture = await project();
  const checked = await check(fixture);
  const markdown = renderMarkdown(checked);
  const passed = checked.checks.filter(({ verdict }) => verdict === 'pass').length;
  expect(markdown).toContain(`**${passed} pass, 0 warn, 1 fail, 2 review, 2 skipped.**`);
  expect(markdown).toContain('| ❌ fail | Visibility | The visibility is private.<br>');
  expect(markdown).toContain('| weather, "`<b>*Weather*`&#124;`@all</b>`". |');
});

test('shows a build error with its file and the source lines', async () => {
  await using fixture = await createProject({ 'src/index.tsx': 'const one = 1;\nconst two = );\n' });
  const text = await checklistOf(fixture);
  expect(text).toContain(`project/src/index.tsx:2:13: error: Unexpected ")".

    1 | const one = 1;
  > 2 | const two = );
      |             ^
`);
  expect(text).toContain('\n1 error in 1 file.\n');
});
