import { createFixture } from 'fs-fixture';
import { expect, it } from 'vitest';
import { loadDevSettings, parseDevSettings } from '../../../src/manifest/index.js';
import { defaultWorkspace } from '../../../src/protocol/workspace.js';

it('uses the defaults if there is no platform.dev.yaml', async () => {
  await using folder = await createFixture({});
  expect(loadDevSettings(folder.path)).toMatchObject({ ok: true, value: { workspace: defaultWorkspace } });
});

it.each(['', '# later\n', 'x-note: later\n'])('uses the defaults for an empty file: %j', (text) => {
  expect(parseDevSettings(text)).toMatchObject({
    ok: true,
    value: { workspace: defaultWorkspace },
    diagnostics: [],
  });
});

it('reads an organization with its spaces and sites', async () => {
  await using folder = await createFixture({
    'platform.dev.yaml': `port: 5000
runtime: workerd
recordOutboundDetails: false
editor: cursor
compatibilityDate: '2026-10-23'
compatibilityFlags: [nodejs_compat]
organization:
  id: acme
  title: Acme
  subdomain: acme-docs
spaces:
  - id: docs
    title: Docs
  - id: internal
    title: Internal
    visibility: private
sites:
  - id: help
    title: Help
    spaces: [docs]
  - id: all
    title: Everything
answers:
  - question: Why?
    answer: Because.
    followupQuestions: [How?]
  - answer: Ask something else.
network:
  proxy: true
`,
  });
  const loaded = loadDevSettings(folder.path);
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.ok && loaded.value).toEqual({
    port: 5000,
    runtime: 'workerd',
    recordOutboundDetails: false,
    editor: 'cursor',
    compatibilityDate: '2026-10-23',
    compatibilityFlags: ['nodejs_compat'],
    workspace: {
      organizations: [
        { id: 'acme', title: 'Acme', subdomain: 'acme-docs' },
        { id: 'org_other', title: 'Another organization' },
      ],
      spaces: [
        { id: 'docs', title: 'Docs', organization: 'acme', visibility: 'public' },
        { id: 'internal', title: 'Internal', organization: 'acme', visibility: 'private' },
      ],
      sites: [
        { id: 'help', title: 'Help', organization: 'acme', spaces: ['docs'] },
        { id: 'all', title: 'Everything', organization: 'acme', spaces: ['docs', 'internal'] },
      ],
      answers: [
        { question: 'Why?', markdown: 'Because.', followupQuestions: ['How?'] },
        { markdown: 'Ask something else.', followupQuestions: [] },
      ],
      network: { proxy: true },
    },
  });
});

it.each([
  ['organisation:\n  id: acme\n', 'manifest/unknown-key 1:1'],
  ['organization:\n  title: Acme\n', 'manifest/missing-key 1:1'],
  ['spaces:\n  - id: a b\n    title: A\n', 'manifest/invalid-id 2:9'],
  ['spaces:\n  - id: a\n    title: A\n  - id: a\n    title: B\n', 'manifest/duplicate-id 4:9'],
  ['spaces:\n  - id: a\n    title: A\n    visibility: privat\n', 'manifest/unknown-visibility 4:17'],
  ['runtime: deno\n', 'manifest/invalid-runtime 1:10'],
  ["compatibilityDate: '2026'\n", 'manifest/invalid-runtime 1:20'],
  ['compatibilityFlags: nodejs_compat\n', 'manifest/invalid-runtime 1:21'],
  ['compatibilityFlags: [1]\n', 'manifest/invalid-runtime 1:22'],
  ['limits:\n  outboundRequests: 0\n', 'manifest/invalid-limit 2:21'],
  ['limits:\n  timeMs: 1.5\n', 'manifest/invalid-limit 2:11'],
  ['limits:\n  responseBytes: "1 MB"\n', 'manifest/invalid-limit 2:18'],
  ['limits:\n  time: 5\n', 'manifest/unknown-key 2:3'],
  ['limits: 5\n', 'manifest/wrong-type 1:9'],
  ['recordOutboundDetails: some\n', 'manifest/wrong-type 1:24'],
  ['port: 0\n', 'manifest/invalid-port 1:7'],
  ['port: "80"\n', 'manifest/invalid-port 1:7'],
  ['port: 80.5\n', 'manifest/invalid-port 1:7'],
  ['consolePort: 0\n', 'manifest/invalid-port 1:14'],
  ['sites:\n  - id: a\n    title: A\n    spaces: [b]\n', 'manifest/unknown-space 4:14'],
  ['spaces: a\n', 'manifest/wrong-type 1:9'],
  ['- a\n', 'manifest/wrong-type 1:1'],
])('rejects settings that are %j: %s', (text, found) => {
  const { ok, diagnostics } = parseDevSettings(text);
  expect(ok).toBe(false);
  expect(diagnostics.map(({ code, range }) => `${code} ${range?.start.line}:${range?.start.column}`)).toEqual(
    [found],
  );
});
