import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { checkProject } from '../../src/publish/check-project.js';
import { installedWorkerd } from './installed-workerd.js';

const manifest = `name: checked
title: Checked
description: For tests.
organization: acme
visibility: private
scopes: []
script: src/index.tsx
blocks:
  - id: card
    title: Card
`;

const script = (
  first: string,
  inRender = '',
): string => `import { createComponent, createIntegration } from 'integration-platform';
${first}
const card = createComponent({
  componentId: 'card',
  render: async () => {
    ${inRender}
    return <block><text>fine</text></block>;
  },
});
export default createIntegration({ components: [card] });
`;

async function verdictOf(source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'checked-'));
  symlinkSync(join(installedWorkerd().folder, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of [
    ['platform-manifest.yaml', manifest],
    ['src/index.tsx', source],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    const { checks, report } = await checkProject({
      file: join(folder, 'platform-manifest.yaml'),
      cwd: folder,
      env: {},
      target: 'organization',
      strict: false,
      sdkFolder: fileURLToPath(new URL('../..', import.meta.url)),
      scriptProcess: { node: process.execPath, version: '1.2.3', clock: systemClock },
    });
    const check = checks.find(({ id }) => id === 'publish/workerd');
    const found = report.diagnostics.filter(({ code }) => code === 'publish/workerd');
    return {
      verdict: check?.verdict,
      evidence: check?.evidence,
      found: found.map(({ file, range, message }) => [
        file.slice(folder.length + 1),
        range?.start.line,
        message,
      ]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a script that starts and renders in workerd passes', async () => {
  expect(await verdictOf(script(''))).toEqual({
    verdict: 'pass',
    evidence: `The script starts in workerd ${installedWorkerd().version}. It renders 1 of 1 component.`,
    found: [],
  });
});

test('what fails only in workerd is reported at the author’s line', async () => {
  const atLoad = await verdictOf(script(`const key = globalThis['Buf' + 'fer'].from('key');`));
  expect(atLoad.verdict).toBe('fail');
  expect(atLoad.found).toEqual([
    ['src/index.tsx', 2, expect.stringMatching(/^The script does not start in workerd: TypeError/)],
  ]);
  const inRender = await verdictOf(script('', `globalThis['Buf' + 'fer'].from('key');`));
  expect(inRender.verdict).toBe('fail');
  expect(inRender.found).toEqual([
    [
      'src/index.tsx',
      6,
      expect.stringMatching(/^The component card cannot be rendered in workerd: TypeError/),
    ],
  ]);
});
