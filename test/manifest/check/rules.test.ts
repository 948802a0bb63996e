import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';
import { manifestText } from '../../support/manifest-text.js';

const bases = ['block', 'oauth', 'webhook', 'content', 'compact'] as const;
const env = { CHAT_CLIENT_ID: 'a', CHAT_CLIENT_SECRET: 'b', SIGNING_SECRET: 'c' };
const fileOf = (base: (typeof bases)[number]): string =>
  fileURLToPath(new URL(`../../fixtures/manifests/${base}/platform-manifest.yaml`, import.meta.url));

/** One mistake each: what is replaced in a good manifest, the code it gives, and where. */
const mistakes: [base: (typeof bases)[number], from: string, to: string, code: string, at: string][] = [
  ['block', 'name: ticket-links\n', '', 'manifest/missing-key', '1:1'],
  ['block', 'title: Ticket links\n', '', 'manifest/missing-key', '1:1'],
  ['block', 'description: Turns links to tickets into live cards.\n', '', 'manifest/missing-key', '1:1'],
  ['block', 'organization: acme\n', '', 'manifest/missing-key', '1:1'],
  ['block', 'visibility: public\n', '', 'manifest/missing-key', '1:1'],
  ['block', 'scopes:\n  - space:content:read\n  - space:content:write\n', '', 'manifest/missing-key', '1:1'],
  ['block', 'name: ticket-links', 'nmae: ticket-links', 'manifest/unknown-key', '2:1'],
  ['block', 'visibility: public', 'visibilty: public', 'manifest/unknown-key', '14:1'],
  ['block', 'icon: ./assets', 'ikon: ./assets', 'manifest/unknown-key', '22:1'],
  ['block', 'previewImages:', 'preview_images:', 'manifest/unknown-key', '23:1'],
  ['block', 'externalLinks:', 'links:', 'manifest/unknown-key', '25:1'],
  ['block', 'name: ticket-links', 'name: ticket links', 'manifest/invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: -ticket-links', 'manifest/invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: ticket--links', 'manifest/invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: ticket_links', 'manifest/invalid-name', '2:7'],
  ['block', 'name: ticket-links', `name: "${'a'.repeat(101)}"`, 'manifest/invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: ""', 'manifest/invalid-name', '2:7'],
  ['block', 'name: ticket-links', 'name: 42', 'manifest/wrong-type', '2:7'],
  ['block', 'title: Ticket links', 'title:', 'manifest/wrong-type', '3:1'],
  ['block', 'title: Ticket links', 'title: "  "', 'manifest/empty-text', '3:8'],
  ['block', 'title: Ticket links', 'title: true', 'manifest/wrong-type', '3:8'],
  ['block', 'title: Ticket links', 'title: [Ticket links]', 'manifest/wrong-type', '3:8'],
  [
    'block',
    'description: Turns links to tickets into live cards.',
    'description: ""',
    'manifest/empty-text',
    '4:14',
  ],
  [
    'block',
    'Nothing to configure:',
    `Nothing${' and nothing'.repeat(180)} to configure:`,
    'manifest/summary-length',
    '5:1',
  ],
  ['block', 'organization: acme', 'organization: {id: acme}', 'manifest/wrong-type', '13:15'],
  ['block', 'visibility: public', 'visibility: Public', 'manifest/unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: pubic', 'manifest/unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: everyone', 'manifest/unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: yes', 'manifest/unknown-visibility', '14:13'],
  ['block', 'visibility: public', 'visibility: true', 'manifest/unknown-visibility', '14:13'],
  ['block', '  - space:content:read\n', '  - space:content:raed\n', 'manifest/unknown-scope', '19:5'],
  ['block', '  - space:content:read\n', '  - space.content.read\n', 'manifest/unknown-scope', '19:5'],
  ['block', '  - space:content:read\n', '  - read everything\n', 'manifest/unknown-scope', '19:5'],
  ['block', '  - space:content:read\n', '  - space: content:read\n', 'manifest/wrong-type', '19:5'],
  [
    'block',
    'scopes:\n  - space:content:read\n  - space:content:write',
    'scopes: space:content:read',
    'manifest/wrong-type',
    '18:9',
  ],
  ['block', 'script: ./src/index.tsx', 'script: ./src/index.ts', 'manifest/file-not-found', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: ./src', 'manifest/file-not-found', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: ../oauth/src/index.tsx', 'manifest/path-outside', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: /etc/hostname', 'manifest/path-outside', '21:9'],
  ['block', 'script: ./src/index.tsx', 'script: ""', 'manifest/empty-text', '21:9'],
  ['block', 'icon: ./assets/icon.png', 'icon: ./assets/logo.png', 'manifest/file-not-found', '22:7'],
  ['block', 'icon: ./assets/icon.png', 'icon: https://example.com/icon.png', 'manifest/path-outside', '22:7'],
  ['block', 'icon: ./assets/icon.png', 'icon: ./src/index.tsx', 'manifest/unreadable-image', '22:7'],
  ['block', '  - ./assets/preview.png', '  - ./assets/preview-2.png', 'manifest/file-not-found', '24:5'],
  [
    'block',
    'previewImages:\n  - ./assets/preview.png',
    'previewImages: ./assets/preview.png',
    'manifest/wrong-type',
    '23:16',
  ],
  ['block', '    url: https://example.com/docs\n', '', 'manifest/missing-key', '26:5'],
  ['block', '  - label: Documentation\n    url', '  - url', 'manifest/missing-key', '26:5'],
  ['block', 'label: Support', 'lable: Support', 'manifest/unknown-key', '28:5'],
  ['block', 'url: https://example.com/docs', 'url: example.com/docs', 'manifest/invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: ftp://example.com/docs', 'manifest/invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: javascript:alert(1)', 'manifest/invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: https://', 'manifest/invalid-url', '27:10'],
  ['block', 'url: https://example.com/docs', 'url: "https://exa mple.com"', 'manifest/invalid-url', '27:10'],
  ['block', '  - id: ticket\n    title: Ticket\n', '  - title: Ticket\n', 'manifest/missing-key', '31:5'],
  ['block', '    title: List of tickets\n', '', 'manifest/missing-key', '34:5'],
  ['block', 'id: ticket-list', 'id: ticket', 'manifest/duplicate-id', '34:9'],
  [
    'block',
    '    description: All tickets of a filter',
    '    desciption: All tickets of a filter',
    'manifest/unknown-key',
    '36:5',
  ],
  [
    'block',
    'title: Ticket\n    description: The',
    'title: 7\n    description: The',
    'manifest/wrong-type',
    '32:12',
  ],
  [
    'block',
    'blocks:\n  - id: ticket\n',
    'blocks:\n  - ticket\n  - id: ticket\n',
    'manifest/wrong-type',
    '31:5',
  ],
  ['block', 'categories:\n  - content', 'categories:\n  - 5', 'manifest/wrong-type', '16:5'],
  [
    'block',
    'organization: acme\n',
    'organization: acme\norganization: acme2\n',
    'manifest/duplicate-key',
    '14:1',
  ],
  ['block', 'organization: acme\n', '\torganization: acme\n', 'manifest/tab-indent', '13:1'],
  ['block', 'organization: acme\n', 'organization acme\n', 'manifest/syntax', '13:1'],
  ['block', 'organization: acme\n', 'organization: "acme\n', 'manifest/syntax', '13:15'],
  ['block', 'organization: acme\n', ' organization: acme\n', 'manifest/syntax', '13:2'],
  ['block', 'organization: acme\n', 'organization: acme: main\n', 'manifest/syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: *acme\n', 'manifest/syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: !id acme\n', 'manifest/syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: @acme\n', 'manifest/syntax', '13:15'],
  ['block', 'organization: acme\n', 'organization: ac\u0007me\n', 'manifest/control-character', '13:17'],
  [
    'block',
    'blocks:\n  - id: ticket\n',
    '---\nblocks:\n  - id: ticket\n',
    'manifest/several-documents',
    '30:1',
  ],
  ['block', 'blocks:\n', '7: x\nblocks:\n', 'manifest/non-string-key', '30:1'],
  [
    'oauth',
    '[space:content:read, space:metadata:read]',
    '[space:content:read, space:metadata:read',
    'manifest/syntax',
    '6:48',
  ],
  [
    'oauth',
    '[space:content:read, space:metadata:read]',
    '[space:content:read space:metadata:read]',
    'manifest/unknown-scope',
    '6:10',
  ],
  ['oauth', 'space:metadata:read]', 'space:metadta:read]', 'manifest/unknown-scope', '6:30'],
  ['oauth', '        type: button\n', '', 'manifest/missing-key', '14:7'],
  ['oauth', 'type: button', 'type: buton', 'manifest/unknown-property-type', '15:15'],
  ['oauth', 'type: button', 'type: string', 'manifest/key-of-other-type', '15:15'],
  ['oauth', '        button_text: Connect\n', '', 'manifest/missing-key', '14:7'],
  ['oauth', '        callback_url: /oauth\n', '', 'manifest/missing-key', '14:7'],
  ['oauth', 'button_text:', 'buttonText:', 'manifest/unknown-key', '18:9'],
  ['oauth', 'callback_url: /oauth', 'callback_url: oauth', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: //evil.example/x', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a//b', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /./a', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a/..', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a/../b', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /a/.', 'manifest/endpoint-path', '19:23'],
  ['oauth', 'callback_url: /oauth', 'callback_url: /..?x=1', 'manifest/endpoint-path', '19:23'],
  [
    'oauth',
    'callback_url: /oauth',
    'callback_url: https://example.com/oauth',
    'manifest/endpoint-path',
    '19:23',
  ],
  ['oauth', 'callback_url: /oauth', 'callback_url: 1', 'manifest/wrong-type', '19:23'],
  ['oauth', 'completion_url: /channels', 'completion_url: channels', 'manifest/endpoint-path', '24:25'],
  [
    'oauth',
    '        completion_url: /channels',
    '        completion_url: /channels\n        enum: [a, b]',
    'manifest/enum-with-completion',
    '24:9',
  ],
  [
    'oauth',
    '        type: string\n        title: Channel',
    '        type: text\n        title: Channel',
    'manifest/unknown-property-type',
    '21:15',
  ],
  [
    'oauth',
    '        type: string\n        title: Channel',
    '        type: number\n        title: Channel',
    'manifest/key-of-other-type',
    '24:9',
  ],
  ['oauth', 'default: en', 'default: eng', 'manifest/invalid-default', '28:18'],
  ['oauth', 'default: en', 'default: 1', 'manifest/invalid-default', '28:18'],
  ['oauth', '          - en\n', '          - 1\n', 'manifest/wrong-type', '30:13'],
  [
    'oauth',
    '        enum:\n          - en\n          - de\n          - fr\n',
    '        enum: []\n',
    'manifest/empty-enum',
    '29:15',
  ],
  ['oauth', '      - oauth_credentials\n', '      - oauth_credential\n', 'manifest/unknown-required', '34:9'],
  [
    'oauth',
    '    required:\n      - oauth_credentials\n      - channel\n',
    '    required: channel\n',
    'manifest/wrong-type',
    '33:15',
  ],
  ['oauth', '    required:\n', '    requires:\n', 'manifest/unknown-key', '33:5'],
  ['oauth', 'default: false', 'default: "false"', 'manifest/invalid-default', '41:18'],
  ['oauth', 'default: false', 'default: no', 'manifest/invalid-default', '41:18'],
  ['oauth', 'default: 20', 'default: twenty', 'manifest/invalid-default', '45:18'],
  ['oauth', 'default: 20', 'default: "20"', 'manifest/invalid-default', '45:18'],
  ['oauth', 'type: number', 'type: integer', 'manifest/unknown-property-type', '43:15'],
  [
    'oauth',
    '        type: number\n        title: Messages a day\n',
    '        title: Messages a day\n',
    'manifest/missing-key',
    '42:7',
  ],
  ['oauth', '  site:\n', '  sites:\n', 'manifest/unknown-key', '36:3'],
  ['oauth', 'configurations:', 'configuration:', 'manifest/unknown-key', '11:1'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', 'k3yb0ard-c4t', 'manifest/literal-secret', '48:14'],
  [
    'oauth',
    '${{ env.CHAT_CLIENT_ID }}',
    '${{ secrets.CHAT_CLIENT_ID }}',
    'manifest/secret-expression',
    '48:14',
  ],
  [
    'oauth',
    '${{ env.CHAT_CLIENT_ID }}',
    'Bearer ${{ env.CHAT_CLIENT_ID }}',
    'manifest/secret-expression',
    '48:14',
  ],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '$CHAT_CLIENT_ID', 'manifest/literal-secret', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '${{ env.CHAT-CLIENT-ID }}', 'manifest/secret-expression', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '123456', 'manifest/literal-secret', '48:14'],
  ['oauth', '${{ env.CHAT_CLIENT_ID }}', '', 'manifest/secret-expression', '48:3'],
  [
    'oauth',
    'secrets:\n  CLIENT_ID: ${{ env.CHAT_CLIENT_ID }}\n  CLIENT_SECRET: ${{env.CHAT_CLIENT_SECRET}}',
    'secrets:\n  - CLIENT_ID',
    'manifest/wrong-type',
    '48:3',
  ],
  ['webhook', 'required: [url]', 'required: [uri]', 'manifest/unknown-required', '22:16'],
  [
    'webhook',
    '      retries:\n        type: number',
    '      retries:\n        - type: number',
    'manifest/syntax',
    '20:9',
  ],
  ['webhook', 'x-team:', 'y-team:', 'manifest/unknown-key', '25:1'],
  ['webhook', 'scopes: []', 'scopes: {}', 'manifest/wrong-type', '9:9'],
  ['webhook', 'scopes: []', 'scopes: null', 'manifest/wrong-type', '9:9'],
  ['webhook', "title: 'Webhook'", "title: 'Webhook", 'manifest/syntax', '3:8'],
  ['webhook', '  SIGNING_SECRET: ', '  __proto__: ', 'manifest/reserved-key', '24:3'],
  ['content', '- space:git:sync', '- space:gitsync', 'manifest/unknown-scope', '10:3'],
  ['content', 'icon: ./assets/icon.png', 'icon: ./assets/Icon.png', 'manifest/file-not-found', '13:7'],
  [
    'content',
    '    required:\r\n    - api_key',
    '    required:\r\n    - key',
    'manifest/unknown-required',
    '26:7',
  ],
  [
    'content',
    '        type: string\r\n',
    '        type: strnig\r\n',
    'manifest/unknown-property-type',
    '23:15',
  ],
  ['content', 'summary: |-', 'sumary: |-', 'manifest/unknown-key', '14:1'],
  [
    'content',
    '- label: How it works\r\n  url: http://example.com/how',
    '- https://example.com/how',
    'manifest/wrong-type',
    '17:3',
  ],
  ['compact', '"visibility": "private",', '', 'manifest/missing-key', '1:1'],
  ['compact', '"visibility": "private",', '"visibility": "privat",', 'manifest/unknown-visibility', '6:17'],
  ['compact', '["site:views:read"]', '["site:view:read"]', 'manifest/unknown-scope', '7:14'],
  ['compact', '"title": "Compact",', '"title": "Compact"', 'manifest/syntax', '4:3'],
  ['compact', '"default": "all"', '"default": "none"', 'manifest/invalid-default', '14:75'],
  ['compact', '"tracking_id": { "type"', '"tracking_id": { "typ"', 'manifest/unknown-key', '13:26'],
  [
    'compact',
    '"required": ["tracking_id"]',
    '"required": ["trackingid"]',
    'manifest/unknown-required',
    '16:20',
  ],
  ['compact', '"script": "./src/index.ts"', '"script": "./src/main.ts"', 'manifest/file-not-found', '8:13'],
];

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
        'Write a finite number.',
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
    'a merge key, which may give the required fields',
    property('{ <<: *base }'),
    [['Merge keys are not supported.', 'Write the keys out.']],
  ],
];

describe('the text of a problem', () => {
  it.each(texts)('fits %s', (_, more, expected) => {
    const { diagnostics } = loadManifest({
      file: '/none/platform-manifest.yaml',
      text: manifestText({ more }),
      env: {},
    });
    expect(diagnostics.map(({ message, help }) => [message, help])).toEqual(expected);
  });
});

describe('a valid manifest', () => {
  it.each(bases)('has no problems: %s', (base) => {
    expect(loadManifest({ file: fileOf(base), env })).toMatchObject({ ok: true, diagnostics: [] });
  });
});

describe('a single error', () => {
  it('is tested in more than a hundred cases', () => {
    expect(mistakes.length).toBeGreaterThan(100);
  });

  it.each(mistakes)('causes one problem: %s, %j becomes %j: %s at %s', (base, from, to, code, at) => {
    const file = fileOf(base);
    const good = readFileSync(file, 'utf8');
    const text = good.replace(from, () => to);
    expect(text).not.toBe(good);
    const found = loadManifest({ file, text, env }).diagnostics.map(({ code, severity, range }) => ({
      code,
      severity,
      at: `${range?.start.line}:${range?.start.column}`,
    }));
    expect(found).toEqual([{ code, severity: 'error', at }]);
  });
});
