import { expect, it } from 'vitest';
import { createReport, renderReport, reportFormats } from '../../../src/diagnostics/index.js';
import { createStyle } from '../../../src/terminal/style.js';
import { parseManifest } from '../../../src/manifest/index.js';
import { ticketLinks } from '../../support/manifest-text.js';

const secret = 'hunter2-Zk9';

const cases: [name: string, text: string][] = [
  ['without quotes', `secrets:\n  TOKEN: ${secret}\n`],
  ['in quotes', `secrets:\n  TOKEN: "${secret}"\n`],
  ['next to an expression', `secrets:\n  TOKEN: ${secret}\n  ID: \${{ env.ID }}\n  WRONG: \${{ id }}\n`],
  [
    'in a multi-line string',
    `secrets:\n  TOKEN: |\n    -----BEGIN KEY-----\n    ${secret}\n    a: ${secret}\n    -----END KEY-----\n`,
  ],
  ['in braces', `secrets: { TOKEN: ${secret} }\n`],
  ['in braces, without a space after the colon', `secrets: { TOKEN:${secret} }\n`],
  ['with an expression inside it', `secrets:\n  TOKEN: ${secret} \${{ env.TOKEN }}\n`],
  ['in an expression', `secrets:\n  TOKEN: \${{ ${secret} }}\n`],
  ['in a list', `secrets:\n  - ${secret}\n`],
  ['in a nested map', `secrets:\n  TOKEN:\n    value: ${secret}\n`],
  ['in place of the map', `secrets: ${secret}\n`],
  ['without a space after the colon', `secrets:\n  TOKEN:${secret}\n`],
  ['through an alias', `x-token: &token ${secret}\ny: 1\nsecrets:\n  TOKEN: *token\n`],
  ['below a duplicate key', `secrets:\n  TOKEN: \${{ env.TOKEN }}\n  TOKEN: ${secret}\n`],
  ['below a second "secrets" key', `secrets:\n  TOKEN: \${{ env.TOKEN }}\nsecrets:\n  OTHER: ${secret}\n`],
  ['below a mistyped key', `secerts:\n  TOKEN: ${secret}\n`],
  ['below the key "secret"', `secret:\n  TOKEN: ${secret}\n`],
  ['without indentation', `secrets:\nTOKEN: ${secret}\n`],
  ['below a number', `secrets:\n  1: ${secret}\n`],
  ['below __proto__', `secrets:\n  __proto__: ${secret}\n`],
  ['in an environment', `envs:\n  staging:\n    secrets:\n      TOKEN: ${secret}\n`],
  ['next to an invalid line', `secrets:\n  TOKEN: ${secret}\nscops: []\n`],
  ['with an unclosed quote', `secrets:\n  TOKEN: "${secret}\n`],
  ['with a tab', `secrets:\n\tTOKEN: ${secret}\n`],
  ['on a badly indented line', `secrets:\n  ID: \${{ env.ID }}\n   TOKEN: ${secret}\n`],
  ['with a colon in the value', `secrets:\n  TOKEN: user: ${secret}\n`],
  ['in broken JSON', `x-json: {"secrets": {"TOKEN": "${secret}"\n`],
  ['below a broken line', `secrets:\n  ID: @\n  TOKEN: ${secret}\n`],
  ['with a control character', `secrets:\n  TOKEN: ${secret}\u0007\n`],
  ['with a misplaced comment', `secrets:\n  TOKEN: ${secret} # platform-ignore manifest/wrong-type: no\n`],
];

it.each(cases)('reports a secret %s without showing it in any format', async (_, text) => {
  const { diagnostics, source } = parseManifest(ticketLinks + text, '/work/platform-manifest.yaml');
  expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  const report = createReport(['/work/platform-manifest.yaml'], diagnostics);
  for (const format of reportFormats) {
    const shown = await renderReport(format, report, {
      cwd: '/work',
      width: 400,
      style: createStyle(false),
      source: () => source,
      rules: [],
      version: '0.0.0',
    });
    expect(shown).toContain('manifest/');
    expect(shown).not.toContain(secret);
  }
});

it('does not load a manifest with a secret, even if a comment tries to suppress the problem', () => {
  const text = `${ticketLinks}secrets:\n  TOKEN: ${secret} # platform-ignore manifest/literal-secret: a public key\n`;
  const { source, ...loaded } = parseManifest(text);
  expect(source.text).toContain(secret);
  expect(loaded.ok).toBe(false);
  expect(loaded.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'manifest/literal-secret', severity: 'error' }),
  );
  expect(loaded.diagnostics.filter(({ ignored }) => ignored !== undefined)).toEqual([]);
  expect(JSON.stringify(loaded)).not.toContain(secret);
});
