import { expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';
import { manifestText } from '../../support/manifest-text.js';

const property = (fields: string): string =>
  `configurations:\n  account:\n    properties:\n      base: &base { type: string, title: A }\n      other: ${fields}\n`;

/** Problems whose text would not fit them if it were that of the whole code. */
const texts: [what: string, more: string, found: [message: string, help?: string][]][] = [
  [
    'a number that is not finite',
    property('{ type: number, title: B, default: .inf }'),
    [
      [
        'configurations.account.properties.other.default must be a number, not Infinity.',
        'Use a finite number.',
      ],
    ],
  ],
  [
    'an absolute path',
    'script: /none/src/index.ts\n',
    [
      [
        '"/none/src/index.ts" is an absolute path.',
        "Write the path relative to the manifest's folder, such as ./src/index.ts.",
      ],
    ],
  ],
  [
    'a merge key that may provide the required fields',
    property('{ <<: *base }'),
    [['Merge keys are not supported.', 'Write each key out in full.']],
  ],
];

test.each(texts)('reports the expected message for %s', (_, more, expected) => {
  const { diagnostics } = loadManifest({
    file: '/none/platform-manifest.yaml',
    text: manifestText({ more }),
    env: {},
  });
  expect(diagnostics.map(({ message, help }) => [message, help])).toEqual(expected);
});
