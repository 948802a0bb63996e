import { expect, test } from 'vitest';
import { renderPage } from '../../../src/diagnostics/report/render-page.js';
import { createStyle } from '../../../src/terminal/style.js';

const page = `# manifest/unknown-key

A key that no manifest has, such as \`descripton\`, is an **error**. This line is long enough
to be wrapped, and \`some code\` stays together.

- one
- two, which goes on
  here

\`\`\`yaml
name: hello
\`\`\`
`;

test('formats a rule page for the terminal', () => {
  expect(renderPage(page, { style: createStyle(false), width: 44 })).toBe(`manifest/unknown-key

A key that no manifest has, such as
descripton, is an error. This line is
long enough to be wrapped, and some code
stays together.

- one
- two, which goes on here

    name: hello
`);
});

const render = (markdown: string, width: number): string =>
  renderPage(markdown, { style: createStyle(false), width });

const table = `<!-- run
by hand -->

| area | certain | not emulated |
|---|---|---|
| [Ask](guides/ask.md) | \`a \\| b\` | |
| Tasks | | a *second* try |
`;

test('aligns a table that fits', () => {
  expect(render(table, 60)).toBe(`area                 certain  not emulated
Ask (guides/ask.md)  a | b
Tasks                         a *second* try
`);
});

test('shows each row of a wide table as a list', () => {
  expect(render(table, 30)).toBe(`Ask (guides/ask.md)
- certain: a | b

Tasks
- not emulated: a *second* try
`);
});

test('omits the heading of the only other column', () => {
  expect(render('| option | result |\n|---|---|\n| `--strict` | fails on warnings |\n', 20)).toBe(`--strict
- fails on warnings
`);
});

test('moves a link to the next line as a whole', () => {
  expect(render('This applies to [other platforms](guides/moving.md).\n', 30)).toBe(`This applies to other
platforms (guides/moving.md).
`);
});
