import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { createTestPlatform, type TestPlatform } from '../../src/testing/index.js';

/** An integration with one fault, as users make them. */
export interface BrokenIntegration {
  name: string;
  /** What a user tells the agent. */
  complaint: string;
  file: 'src/index.tsx' | 'platform-manifest.yaml';
  /** A text of the working project, and what it was replaced with. */
  right: string;
  wrong: string;
  /** Passes with the repaired integration only. */
  check(platform: TestPlatform, folder: string): Promise<void>;
}

const update = { type: 'space_content_updated', revisionId: 'r1' } as const;

const countMessages = (platform: TestPlatform): number =>
  platform.outbound().filter(({ url }) => url.endsWith('/messages')).length;

async function announces(platform: TestPlatform): Promise<void> {
  const { outcome, rejections } = await platform.trigger(update);
  expect({ outcome, rejections }).toEqual({ outcome: 'ok', rejections: [] });
  expect(countMessages(platform)).toBeGreaterThan(0);
}

async function reportsLostAnnouncement(platform: TestPlatform): Promise<void> {
  platform.stub('POST https://tickets.example/messages', new Response('', { status: 503 }));
  expect((await platform.trigger(update)).rejections).toHaveLength(1);
}

async function shows(platform: TestPlatform, id: string, text: string): Promise<void> {
  const block = await platform.render('ticket', { props: { id } });
  expect(block.text()).toContain(text);
}

async function connects(platform: TestPlatform): Promise<void> {
  await platform.oauth({ token: { token: 'at', team: { id: 'T1' } } });
  const { installation } = platform.environment();
  expect(installation?.externalIds).toEqual(['T1']);
  expect(installation?.configuration).toMatchObject({ oauth_credentials: { access_token: 'at' } });
}

function requests(folder: string, scope: string): void {
  const manifest = readFileSync(join(folder, 'platform-manifest.yaml'), 'utf8');
  expect((parse(manifest) as { scopes: string[] }).scopes).toContain(scope);
}

const post = (platform: TestPlatform, id: string) =>
  platform.fetch('/hook', { method: 'POST', body: JSON.stringify({ id }) });

export const brokenIntegrations: readonly BrokenIntegration[] = [
  {
    name: 'wrong-element',
    complaint: 'The ticket block shows no title in production.',
    file: 'src/index.tsx',
    right: '<card title={title} />',
    wrong: '{{ type: "panel", title, children: [] }}',
    async check(platform) {
      const block = await platform.render('ticket', { props: { id: 'T-1' } });
      const elements = [block.element?.children].flat() as { type: string }[];
      expect(elements.map(({ type }) => type)).toEqual(['card', 'textinput', 'button']);
      expect(block.text()).toContain('Broken printer');
    },
  },
  {
    name: 'missing-scope',
    complaint: 'Changed pages are no longer announced.',
    file: 'platform-manifest.yaml',
    right: '  - space:content:read\n',
    wrong: '',
    check: async (_, folder) => requests(folder, 'space:content:read'),
  },
  {
    name: 'missing-api-scope',
    complaint: 'Since the announcement contains the title of the space, none arrives.',
    file: 'platform-manifest.yaml',
    right: '  - space:metadata:read\n',
    wrong: '',
    check: async (_, folder) => requests(folder, 'space:metadata:read'),
  },
  {
    name: 'extractor',
    complaint: 'Connecting an account fails after the provider has redirected back.',
    file: 'src/index.tsx',
    right: 'externalIds: [response.team.id]',
    wrong: 'externalIds: [(response as any).workspace.id]',
    check: connects,
  },
  {
    name: 'stored-elsewhere',
    complaint: 'Connecting an account succeeds, but the account is never connected.',
    file: 'src/index.tsx',
    right: 'configuration: { oauth_credentials: { access_token: response.token } }',
    wrong: 'configuration: { credentials: { access_token: response.token } }',
    check: connects,
  },
  {
    name: 'callback-path',
    complaint: 'The Connect button leads to "Not found".',
    file: 'platform-manifest.yaml',
    right: 'callback_url: /oauth',
    wrong: 'callback_url: /connect',
    check: connects,
  },
  {
    name: 'doubled-retry',
    complaint: 'Some messages are sent twice when the ticket service repeats a webhook.',
    file: 'src/index.tsx',
    right: 'if (seen.has(id)) return Response.json({ duplicate: true });',
    wrong: '',
    async check(platform) {
      const statuses = [await post(platform, 'E1'), await post(platform, 'E1')].map(({ status }) => status);
      expect([statuses, countMessages(platform)]).toEqual([[200, 200], 1]);
    },
  },
  {
    name: 'task-without-handler',
    complaint: 'The count of changed pages never appears in the log.',
    file: 'src/index.tsx',
    right: "if (task.type === 'count')",
    wrong: "if (task.type === 'counter')",
    async check(platform) {
      await platform.trigger(update);
      await platform.clock.advance(5_000);
      await platform.settled();
      expect(platform.logs().map(({ text }) => text)).toContain('Counted space_local');
    },
  },
  {
    name: 'undeclared-secret',
    complaint: 'The ticket service rejects every announcement with 401.',
    file: 'platform-manifest.yaml',
    right: '  API_KEY: ${{ env.TICKETS_API_KEY }}\n',
    wrong: '  APIKEY: ${{ env.TICKETS_API_KEY }}\n',
    async check(platform) {
      platform.stub(`POST https://tickets.example/messages`, (request) =>
        request.headers.get('Authorization') === 'Bearer the-key'
          ? Response.json({})
          : new Response('', { status: 401 }),
      );
      await announces(platform);
    },
  },
  {
    name: 'html-instead-of-json',
    complaint:
      'Search fails with 500 while the ticket service is in maintenance. It should respond with 502.',
    file: 'src/index.tsx',
    right:
      "return type.includes('json') ? Response.json(await found.json()) : new Response('', { status: 502 });",
    wrong: 'return Response.json({ found: await found.json(), type });',
    async check(platform) {
      platform.stub(
        'https://tickets.example/search',
        () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }),
      );
      expect((await platform.fetch('/search?q=a')).status).toBe(502);
    },
  },
  {
    name: 'unescaped-query',
    complaint: 'Searching for "R&D" finds everything with an R.',
    file: 'src/index.tsx',
    right: '${encodeURIComponent(query)}',
    wrong: '${query}',
    async check(platform) {
      await platform.fetch('/search?q=R%26D');
      const [sent] = platform.outbound().filter(({ url }) => url.includes('/search'));
      expect(new URL(sent?.url ?? '').searchParams.get('q')).toBe('R&D');
    },
  },
  {
    name: 'missing-value',
    complaint: 'Announcements fail for organizations that have not chosen a channel.',
    file: 'src/index.tsx',
    right: "String(environment.installation?.configuration?.channel ?? 'general')",
    wrong: 'environment.installation?.configuration?.channel as string',
    check: announces,
  },
  {
    name: 'lost-rejection',
    complaint: 'When the ticket service is down, announcements are lost without any error.',
    file: 'src/index.tsx',
    right: 'if (!response.ok) throw new Error(`The message was not sent (${response.status}).`);',
    wrong: 'if (!response.ok) return;',
    check: reportsLostAnnouncement,
  },
  {
    name: 'not-awaited',
    complaint: 'Announcements of changed pages fail in production, but nobody can see why.',
    file: 'src/index.tsx',
    right: 'context.waitUntil(announce(space.title, context));',
    wrong: 'announce(space.title, context).catch(() => {});',
    check: reportsLostAnnouncement,
  },
  {
    name: 'wrong-component',
    complaint: 'The ticket block cannot be shown.',
    file: 'src/index.tsx',
    right: "componentId: 'ticket'",
    wrong: "componentId: 'tickets'",
    check: async (platform) => shows(platform, 'T-1', 'Broken printer'),
  },
  {
    name: 'unfurl',
    complaint: 'A pasted link becomes an empty block.',
    file: 'src/index.tsx',
    right: "return { props: { id: action.url.split('/').pop() } };",
    wrong: "return { props: { ticket: action.url.split('/').pop() } } as never;",
    async check(platform) {
      const block = await platform.render('ticket');
      await block.act({ action: '@link.unfurl', url: 'https://tickets.example/tickets/T-1' });
      expect(block.text()).toContain('Broken printer');
    },
  },
  {
    name: 'unbound-state',
    complaint: 'Saving a ticket never changes its status.',
    file: 'src/index.tsx',
    right: '<textinput state="status" label="Status" />',
    wrong: '<textinput state="text" label="Status" />',
    async check(platform) {
      const block = await platform.render('ticket', { props: { id: 'T-1' } });
      await block.fill('status', 'closed');
      await block.press('Save');
      const [sent] = platform.outbound().filter(({ method }) => method === 'PATCH');
      expect(sent?.body).toContain('closed');
    },
  },
  {
    name: 'unknown-ticket',
    complaint: 'The block of a deleted ticket shows an error. It should show "Unknown".',
    file: 'src/index.tsx',
    right: "response.ok ? ((await response.json()) as { title: string }) : { title: 'Unknown' }",
    wrong: '((await response.json()) as { title: string })',
    check: async (platform) => shows(platform, 'T-9', 'Unknown'),
  },
  {
    name: 'no-response',
    complaint: 'The ticket service reports that our webhook fails, although the message arrives.',
    file: 'src/index.tsx',
    right: 'return Response.json({ received: id });',
    wrong: 'return undefined as never;',
    async check(platform) {
      expect((await post(platform, 'E2')).status).toBe(200);
      expect(countMessages(platform)).toBe(1);
    },
  },
  {
    name: 'wrong-script',
    complaint: 'The integration no longer starts.',
    file: 'platform-manifest.yaml',
    right: 'script: src/index.tsx',
    wrong: 'script: src/main.tsx',
    check: announces,
  },
];

/** Replaces the right text with the wrong one. */
export function breakIntegration({ file, right, wrong }: BrokenIntegration, folder: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text, file).toContain(right);
  writeFileSync(
    path,
    text.replace(right, () => wrong),
  );
}

/** Whether the integration in the folder does what the complaint asks for. */
export async function checkRepair({ check }: BrokenIntegration, folder: string): Promise<void> {
  const platform = await createTestPlatform({
    manifest: folder,
    env: { TICKETS_API_KEY: 'the-key', TICKETS_CLIENT_ID: 'client', TICKETS_CLIENT_SECRET: 'secret' },
    unstubbed: 'refuse',
  });
  try {
    platform.stub('https://tickets.example/tickets', Response.json({ title: 'Broken printer' }));
    platform.stub('https://tickets.example/tickets/T-9', new Response('Gone', { status: 404 }));
    platform.stub('https://tickets.example/messages', Response.json({}));
    platform.stub('https://tickets.example/search', Response.json([]));
    await platform.install();
    await check(platform, folder);
  } finally {
    await platform.close();
  }
}
