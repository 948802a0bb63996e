import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pairedRatio, type Command } from '../paired.js';
import type { Figure, Row } from '../row.js';

const platform = fileURLToPath(new URL('../../../bin/platform.js', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = 'platform-manifest.yaml';

/** About 5 KB, without findings. */
const manifest = `# yaml-language-server: $schema=https://example.com/platform-manifest.schema.json
name: page-rating
title: Page rating
description: Asks the readers of each page how useful it was.
organization: acme
visibility: unlisted
scopes:
  - space:content:read
  - space:metadata:read
  - site:views:read
summary: |
${'  Shows a small row of faces below each page, and counts what readers choose.\n'.repeat(20)}
categories: [analytics, collaboration]
externalLinks:
  - label: Documentation
    url: https://example.com/docs
configurations:
  account:
    properties:
${Array.from({ length: 22 }, (_, index) => `      setting_${index}:\n        type: string\n        title: Setting ${index}\n        description: What setting ${index} does to a page\n        default: value ${index}\n`).join('')}    required: [setting_1]
`;

async function compare(count: number, other: (folder: string) => Command, runs: number): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  try {
    for (let index = 0; index < count; index++) {
      mkdirSync(join(folder, `${index}`));
      // Names are unique among the manifests of one run.
      writeFileSync(join(folder, `${index}`, name), manifest.replace('page-rating', `page-rating-${index}`));
    }
    const { ratio, a, b } = pairedRatio({ argv: [platform, 'validate', folder] }, other(folder), runs);
    return { value: ratio, unit: 'x', detail: `${a.toFixed(0)} ms against ${b.toFixed(0)} ms` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Only the YAML library, on the same files. */
const parseAll = (folder: string): Command => ({
  cwd: root,
  argv: [
    '--eval',
    `const { parse } = require('yaml'), { readFileSync, readdirSync } = require('fs');
     for (const name of readdirSync('${folder}')) parse(readFileSync('${folder}/' + name + '/${name}', 'utf8'));`,
  ],
});

export const validateRows: Row[] = [
  {
    what: 'platform validate, one manifest of 5 KB, against node -e 0',
    reach: { atMost: 1.5 },
    measure: () => compare(1, () => ({ argv: ['-e', '0'] }), 21),
  },
  {
    what: 'platform validate, 1,000 manifests, against parse() of yaml',
    reach: { atMost: 1.3 },
    measure: () => compare(1000, parseAll, 5),
  },
];
