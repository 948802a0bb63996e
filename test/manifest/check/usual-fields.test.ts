import { expect, it } from 'vitest';
import { parseManifest } from '../../../src/manifest/index.js';

const start = `name: ticket-links
title: Ticket links
description: Turns links to tickets into cards.
organization: acme
visibility: public
script: ./src/index.tsx
`;

/** Fields as integrations of this kind use them, and all that is said of them. */
it.each<[name: string, text: string, found: string[]]>([
  [
    'a custom screen',
    'scopes: []\nconfigurations:\n    account:\n        componentId: config\n',
    ['info extension-field 10:9'],
  ],
  [
    'screens for sites and spaces',
    'scopes: []\nconfigurations:\n  space:\n    componentId: config\n  site:\n    componentId: config\n',
    ['info extension-field 9:3', 'info extension-field 12:5'],
  ],
  ['a target', 'scopes: [conversations:ingest]\ntarget: organization\n', ['info extension-field 8:1']],
  [
    'a content security policy',
    'scopes: []\ncontentSecurityPolicy:\n  script-src: |\n    https://a.example.com\n      *.example.com;\n  img-src: data:;\n',
    ['info extension-field 8:1'],
  ],
  [
    'blocks that unfurl links and are stored as Markdown',
    'scopes: []\nblocks:\n  - id: embed\n    title: Embed\n    description: A card\n    urlUnfurl:\n      - https://example.com/**\n    markdown:\n      codeblock: card\n      body: content\n',
    ['info extension-field 12:5', 'info extension-field 14:5'],
  ],
  [
    'environments with their own secrets',
    'scopes: []\nsecrets:\n  ID: ${{ env.ID }}\nenvs:\n  test:\n    visibility: unlisted\n    secrets:\n      ID: ${{ env.TEST_ID }}\n',
    ['info extension-field 10:1'],
  ],
  [
    'content sources',
    'scopes: [openapi:write]\ncontentSources:\n  - id: generate\n    title: Generate\n    configuration:\n      componentId: configureSource\n',
    ['info extension-field 8:1'],
  ],
  ['no secrets', 'scopes: []\nsecrets: {}\n', []],
  ['custom categories', 'scopes: []\ncategories:\n  - support\n', ['warning unknown-category 9:5']],
  ['internal scopes', 'scopes:\n  - site:script:inject\n', ['warning internal-scope 8:5']],
  ['a summary that ends in empty lines', 'summary: |\n  # Overview\n\n\nscopes: []\n', []],
])('accepts a manifest with %s', (_, text, found) => {
  const { ok, diagnostics } = parseManifest(start + text);
  expect(ok).toBe(true);
  expect(
    diagnostics.map(
      ({ severity, code, range }) =>
        `${severity} ${code.replace('manifest/', '')} ${range?.start.line}:${range?.start.column}`,
    ),
  ).toEqual(found);
});
