import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';
import { followFileRules } from '../../support/file-rules.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const bases = ['block', 'oauth', 'webhook', 'content', 'compact'] as const;
const env = { CHAT_CLIENT_ID: 'a', CHAT_CLIENT_SECRET: 'b', SIGNING_SECRET: 'c' };
const fileOf = (base: (typeof bases)[number]): string =>
  fileURLToPath(new URL(`../../fixtures/manifests/${base}/platform-manifest.yaml`, import.meta.url));

/** One mistake each: what is replaced in a good manifest, the code in `manifest/` that it gives, and where. */
const mistakes: [base: (typeof bases)[number], from: string, to: string, code: string, at: string][] = [
  ['block', 'name: ticket-links\n', '', 'missing-key', '1:1'],
  ['block', 'title: Ticket links\n', '', 'missing-key', '1:1'],
  ['block', 'description: Turns links to tickets into live cards.\n', '', 'missing-key', '1:1'],
  ['block', 'organization: acme\n', '', 'missing-key', '1:1'],
  ['block', 'visibility: public\n', '', 'missing-key', '1:1'],
  ['block', 'scopes:\n  - space:content:read\n  - space:content:write\n', '', 'missing-key', '1:1'],
  ['block', 'name: ticket-links', 'nmae: ticket-links', 'unknown-key', '2:1'],
  ['block', 'visibility: public', 'visibilty: public', 'unknown-key', '14:1'],
  ['block', 'icon: ./assets', 'ikon: ./assets', 'unknown-key', '22:1'],
  ['block', 'previewImages:', 'preview_images:', 'unknown-key', '23:1'],
  ['block', 'externalLinks:', 'links:', 'unknown-key', '25:1'],
  ['block', 'name: ticket-links', 'name: ticket links', 'invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: -ticket-links', 'invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: ticket--links', 'invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: ticket_links', 'invalid-name', '2:7'],
  ['block', 'name: ticket-links', `name: "${'a'.repeat(101)}"`, 'invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: ""', 'invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: 42', 'wrong-type', '2:7'],
  ['block', 'title: Ticket links', 'title:', 'wrong-type', '3:1'],
  ['block', 'title: Ticket links', 'title: "  "', 'empty-text', '3:8'],
  ['block', 'title: Ticket links', 'title: true', 'wrong-type', '3:8'],
  ['block', 'title: Ticket links', 'title: [Ticket links]', 'wrong-type', '3:8'],
  ['block', 'description: Turns links to tickets into live cards.', 'description: ""', 'empty-text', '4:14'],
  [
    'block',
    'Nothing to configure:',
    `Nothing${' and nothing'.repeat(180)} to configure:`,
    'summary-length',
    '5:1',
  ],
  ['block', 'organization: acme', 'organization: {id: acme}', 'wrong-type', '13:15'],
  ['block', 'visibility: public', 'visibility: Public', 'unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: pubic', 'unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: everyone', 'unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: yes', 'unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: true', 'unknown-visibility', '14:13'],
  ['block', '  - space:content:read\n', '  - space:content:raed\n', 'unknown-scope', '19:5'],
  ['block', '  - space:content:read\n', '  - space.content.read\n', 'unknown-scope', '19:5'],
  ['block', '  - space:content:read\n', '  - read everything\n', 'unknown-scope', '19:5'],
  ['block', '  - space:content:read\n', '  - space: content:read\n', 'wrong-type', '19:5'],
  [
    'block',
    'scopes:\n  - space:content:read\n  - space:content:write',
    'scopes: space:content:read',
    'wrong-type',
    '18:9',
  ],
  ['block', 'script: ./src/index.tsx', 'script: ./src/index.ts', 'file-not-found', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: ./src', 'file-not-found', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: ../oauth/src/index.tsx', 'path-outside', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: /etc/hostname', 'path-outside', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: ""', 'empty-text', '21:9'],
  ['block', 'icon: ./assets/icon.png', 'icon: ./assets/logo.png', 'file-not-found', '22:7'],
  ['block', 'icon: ./assets/icon.png', 'icon: https://example.com/icon.png', 'path-outside', '22:7'],
  ['block', 'icon: ./assets/icon.png', 'icon: ./src/index.tsx', 'unreadable-image', '22:7'],
  ['block', '  - ./assets/preview.png', '  - ./assets/preview-2.png', 'file-not-found', '24:5'],
  [
    'block',
    'previewImages:\n  - ./assets/preview.png',
    'previewImages: ./assets/preview.png',
    'wrong-type',
    '23:16',
  ],
  ['block', '    url: https://example.com/docs\n', '', 'missing-key', '26:5'],
  ['block', '  - label: Documentation\n    url', '  - url', 'missing-key', '26:5'],
  ['block', 'label: Support', 'lable: Support', 'unknown-key', '28:5'],
  ['block', 'url: https://example.com/docs', 'url: example.com/docs', 'invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: ftp://example.com/docs', 'invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: javascript:alert(1)', 'invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: https://', 'invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: "https://exa mple.com"', 'invalid-url', '27:10'],
  ['block', '  - id: ticket\n    title: Ticket\n', '  - title: Ticket\n', 'missing-key', '31:5'],
  ['block', '    title: List of tickets\n', '', 'missing-key', '34:5'],
  ['block', 'id: ticket-list', 'id: ticket', 'duplicate-id', '34:9'],
  [
    'block',
    '    description: All tickets of a filter',
    '    desciption: All tickets of a filter',
    'unknown-key',
    '36:5',
  ],
  ['block', 'title: Ticket\n    description: The', 'title: 7\n    description: The', 'wrong-type', '32:12'],
  ['block', 'blocks:\n  - id: ticket\n', 'blocks:\n  - ticket\n  - id: ticket\n', 'wrong-type', '31:5'],
  ['block', 'categories:\n  - content', 'categories:\n  - 5', 'wrong-type', '16:5'],
  ['block', 'organization: acme\n', 'organization: acme\norganization: acme2\n', 'duplicate-key', '14:1'],
  ['block', 'organization: acme\n', '\torganization: acme\n', 'tab-indent', '13:1'],
  ['block', 'organization: acme\n', 'organization acme\n', 'syntax', '13:1'],
  ['block', 'organization: acme\n', 'organization: "acme\n', 'syntax', '13:15'],
  ['block', 'organization: acme\n', ' organization: acme\n', 'syntax', '13:2'],
  ['block', 'organization: acme\n', 'organization: acme: main\n', 'syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: *acme\n', 'syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: !id acme\n', 'syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: @acme\n', 'syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: ac\u0007me\n', 'control-character', '13:17'],
  ['block', 'blocks:\n  - id: ticket\n', '---\nblocks:\n  - id: ticket\n', 'several-documents', '30:1'],
  ['block', 'blocks:\n', '7: x\nblocks:\n', 'non-string-key', '30:1'],
  [
    'oauth',
    '[space:content:read, space:metadata:read]',
    '[space:content:read, space:metadata:read',
    'syntax',
    '6:48',
  ],
  [
    'oauth',
    '[space:content:read, space:metadata:read]',
    '[space:content:read space:metadata:read]',
    'unknown-scope',
    '6:10',
  ],
  ['oauth', 'space:metadata:read]', 'space:metadta:read]', 'unknown-scope', '6:30'],
  ['oauth', '        type: button\n', '', 'missing-key', '14:7'],
  ['oauth', 'type: button', 'type: buton', 'unknown-property-type', '15:15'],
  ['oauth', 'type: button', 'type: string', 'key-of-other-type', '15:15'],
  ['oauth', '        button_text: Connect\n', '', 'missing-key', '14:7'],
  ['oauth', '        callback_url: /oauth\n', '', 'missing-key', '14:7'],
  ['oauth', 'button_text:', 'buttonText:', 'unknown-key', '18:9'],
  ['oauth', 'callback_url: /oauth', 'callback_url: oauth', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: //evil.example/x', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a//b', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /./a', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a/..', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a/../b', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a/.', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /..?x=1', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: https://example.com/oauth', 'endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: 1', 'wrong-type', '19:23'],
  ['oauth', 'completion_url: /channels', 'completion_url: channels', 'endpoint-path', '24:25'],
  [
    'oauth',
    '        completion_url: /channels',
    '        completion_url: /channels\n        enum: [a, b]',
    'enum-with-completion',
    '24:9',
  ],
  [
    'oauth',
    '        type: string\n        title: Channel',
    '        type: text\n        title: Channel',
    'unknown-property-type',
    '21:15',
  ],
  [
    'oauth',
    '        type: string\n        title: Channel',
    '        type: number\n        title: Channel',
    'key-of-other-type',
    '24:9',
  ],
  ['oauth', 'default: en', 'default: eng', 'invalid-default', '28:18'],
  ['oauth', 'default: en', 'default: 1', 'invalid-default', '28:18'],
  ['oauth', '          - en\n', '          - 1\n', 'wrong-type', '30:13'],
  [
    'oauth',
    '        enum:\n          - en\n          - de\n          - fr\n',
    '        enum: []\n',
    'empty-enum',
    '29:15',
  ],
  ['oauth', '      - oauth_credentials\n', '      - oauth_credential\n', 'unknown-required', '34:9'],
  [
    'oauth',
    '    required:\n      - oauth_credentials\n      - channel\n',
    '    required: channel\n',
    'wrong-type',
    '33:15',
  ],
  ['oauth', '    required:\n', '    requires:\n', 'unknown-key', '33:5'],
  ['oauth', 'default: false', 'default: "false"', 'invalid-default', '41:18'],
  ['oauth', 'default: false', 'default: no', 'invalid-default', '41:18'],
  ['oauth', 'default: 20', 'default: twenty', 'invalid-default', '45:18'],
  ['oauth', 'default: 20', 'default: "20"', 'invalid-default', '45:18'],
  ['oauth', 'type: number', 'type: integer', 'unknown-property-type', '43:15'],
  [
    'oauth',
    '        type: number\n        title: Messages a day\n',
    '        title: Messages a day\n',
    'missing-key',
    '42:7',
  ],
  ['oauth', '  site:\n', '  sites:\n', 'unknown-key', '36:3'],
  ['oauth', 'configurations:', 'configuration:', 'unknown-key', '11:1'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', 'k3yb0ard-c4t', 'literal-secret', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '${{ secrets.CHAT_CLIENT_ID }}', 'secret-expression', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', 'Bearer ${{ env.CHAT_CLIENT_ID }}', 'secret-expression', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '$CHAT_CLIENT_ID', 'literal-secret', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '${{ env.CHAT-CLIENT-ID }}', 'secret-expression', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '123456', 'literal-secret', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '', 'secret-expression', '48:3'],
  [
    'oauth',
    'secrets:\n  CLIENT_ID: ${{ env.CHAT_CLIENT_ID }}\n  CLIENT_SECRET: ${{env.CHAT_CLIENT_SECRET}}',
    'secrets:\n  - CLIENT_ID',
    'wrong-type',
    '48:3',
  ],
  ['webhook', 'required: [url]', 'required: [uri]', 'unknown-required', '22:16'],
  [
    'webhook',
    '      retries:\n        type: number',
    '      retries:\n        - type: number',
    'syntax',
    '20:9',
  ],
  ['webhook', 'x-team:', 'y-team:', 'unknown-key', '25:1'],
  ['webhook', 'scopes: []', 'scopes: {}', 'wrong-type', '9:9'],
  ['webhook', 'scopes: []', 'scopes: null', 'wrong-type', '9:9'],
  ['webhook', "title: 'Webhook'", "title: 'Webhook", 'syntax', '3:8'],
  ['webhook', '  SIGNING_SECRET: ', '  __proto__: ', 'reserved-key', '24:3'],
  ['content', '- space:git:sync', '- space:gitsync', 'unknown-scope', '10:3'],
  ['content', 'icon: ./assets/icon.png', 'icon: ./assets/Icon.png', 'file-not-found', '13:7'],
  ['content', '    required:\r\n    - api_key', '    required:\r\n    - key', 'unknown-required', '26:7'],
  ['content', '        type: string\r\n', '        type: strnig\r\n', 'unknown-property-type', '23:15'],
  ['content', 'summary: |-', 'sumary: |-', 'unknown-key', '14:1'],
  [
    'content',
    '- label: How it works\r\n  url: http://example.com/how',
    '- https://example.com/how',
    'wrong-type',
    '17:3',
  ],
  ['compact', '"visibility": "private",', '', 'missing-key', '1:1'],
  ['compact', '"visibility": "private",', '"visibility": "privat",', 'unknown-visibility', '6:17'],
  ['compact', '["site:views:read"]', '["site:view:read"]', 'unknown-scope', '7:14'],
  ['compact', '"title": "Compact",', '"title": "Compact"', 'syntax', '4:3'],
  ['compact', '"default": "all"', '"default": "none"', 'invalid-default', '14:75'],
  ['compact', '"tracking_id": { "type"', '"tracking_id": { "typ"', 'unknown-key', '13:26'],
  ['compact', '"required": ["tracking_id"]', '"required": ["trackingid"]', 'unknown-required', '16:20'],
  ['compact', '"script": "./src/index.ts"', '"script": "./src/main.ts"', 'file-not-found', '8:13'],
];

it.each(bases)('reports no problems in a valid manifest: %s', (base) => {
  expect(loadManifest({ file: fileOf(base), env })).toMatchObject({ ok: true, diagnostics: [] });
});

it('covers more than a hundred mistakes', () => {
  expect(mistakes.length).toBeGreaterThan(100);
});

it.each(mistakes)('in %s, changing %j to %j causes exactly manifest/%s at %s', (base, from, to, code, at) => {
  const file = fileOf(base);
  const good = readFileSync(file, 'utf8');
  const text = good.replace(from, () => to);
  expect(text).not.toBe(good);
  const found = loadManifest({ file, text, env }).diagnostics.map(({ code, severity, range }) => ({
    code,
    severity,
    at: `${range?.start.line}:${range?.start.column}`,
  }));
  expect(found).toEqual([{ code: `manifest/${code}`, severity: 'error', at }]);
});

it.each(['macOS', 'Windows'] as const)(
  'does not accept other upper or lower case on %s, which Linux does not find',
  (system) => {
    const folder = temporaryFolder();
    const file = join(folder, 'platform-manifest.yaml');
    cpSync(dirname(fileOf('block')), folder, { recursive: true });
    followFileRules(system, folder);
    const text = readFileSync(file, 'utf8').replace('./src/index.tsx', 'src/../src/Index.tsx');
    expect(loadManifest({ file, env })).toMatchObject({ diagnostics: [] });
    expect(loadManifest({ file, text, env })).toMatchObject({
      diagnostics: [{ code: 'manifest/file-not-found', help: expect.stringContaining('"src/index.tsx"') }],
    });
  },
);
