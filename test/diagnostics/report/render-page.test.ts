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
