import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevPlatform } from './dev-platform.js';
import { serve } from './serve.js';

export interface SeededFault {
  name: string;
  /** The request handler's code for the path with this name. `outside` is a server that returns HTML. */
  code?: string;
  /** How to cause the fault. Default: one request to the path. */
  cause?: (platform: DevPlatform) => Promise<unknown>;
  /** The text that shows an author the reason or the line. */
  shows: RegExp;
  /** The text in the terminal, if it differs. */
  prints?: RegExp;
  /** Ends anything that the fault has started. */
  end?: (platform: DevPlatform) => Promise<unknown>;
}

const request = (platform: DevPlatform, path: string): Promise<string> =>
  fetch(`${platform.endpoint}/${path}`, { redirect: 'manual' }).then((response) => response.text());

/** Returns from the provider with a code while the token endpoint returns HTML. */
async function returnWithCode(platform: DevPlatform): Promise<void> {
  const away = await fetch(`${platform.endpoint}/token-html`, { redirect: 'manual' });
  const state = new URL(away.headers.get('location') ?? '').searchParams.get('state') ?? '';
  await request(platform, `token-html?code=abc&state=${encodeURIComponent(state)}`);
}

const oauth = (more: string): string =>
  `return createOAuthHandler({ clientId: 'c', clientSecret: 's', authorizeURL: outside + '/authorize', accessTokenURL: outside + '/token'${more} })(request, context)`;

const position = String.raw`src/index\.ts:\d+`;

export const seededFaults: readonly SeededFault[] = [
  { name: 'throws', code: `null.length`, shows: new RegExp(`TypeError[^]*${position}`) },
  {
    name: 'background',
    code: `context.waitUntil(Promise.reject(new Error('No index.')))`,
    shows: new RegExp(`No index\\.[^]*${position}`),
  },
  {
    name: 'html',
    code: `await (await fetch(outside)).json()`,
    shows: /responded with HTML\s+instead of JSON/,
  },
  {
    name: 'swallowed',
    code: `await fetch('http://127.0.0.1:1/').catch(() => {})`,
    shows: /127\.0\.0\.1:1\/ (?:failed|got)/,
  },
  {
    name: 'secret',
    code: `context.environment.secrets.API_KEY.trim()`,
    shows: /The secret API_KEY has\s+no\s+value/,
  },
  {
    name: 'property',
    code: `context.environment.installation.configuration.channel.trim()`,
    shows: /no value for\s+channel\.\s+Set\s+it\s+with:/,
  },
  {
    name: 'status',
    code: `(await fetch(outside + '/missing')).ok || (() => { throw new Error('No.') })()`,
    shows: /responded with 404/,
  },
  { name: 'nothing', code: `return`, shows: new RegExp(`returned no Response[^]*${position}`) },
  {
    name: 'event-scope',
    cause: (platform) => platform.api('POST', '/events', { type: 'space_content_updated' }).catch(() => {}),
    shows: /space:content:read/,
  },
  {
    name: 'api-scope',
    code: `await context.api.request('GET', 'spaces/space_local')`,
    shows: /space:metadata:read/,
  },
  {
    name: 'one-installation',
    code: `context.environment.installation.configuration.room.trim()`,
    cause: async (platform) => {
      await request(platform, 'one-installation');
      const other = platform.endpoint.replace('installation_1', 'installation_2');
      await (await fetch(`${other}/one-installation`)).text();
    },
    shows: /no value for\s+room/,
  },
  {
    name: 'redirect',
    code: oauth(`, redirectURL: 'https://elsewhere.example.com/back'`),
    shows: /redirect_uri must be one of[^]*but\s+is\s+https:\/\/elsewhere\.example\.com\/back/,
  },
  { name: 'token-html', code: oauth(''), cause: returnWithCode, shows: /HTML\s+instead\s+of\s+JSON/ },
  {
    name: 'leak',
    code: `(globalThis.kept ??= []).push(new Float64Array(12e6))`,
    cause: async (platform) => {
      // A busy machine may answer the first one with the build before.
      for (const _ of [1, 2, 3]) await request(platform, 'leak');
    },
    shows: /retains \d+ MB more/,
  },
  {
    name: 'markup',
    cause: (platform) => platform.api('POST', '/render', { component: 'map', props: {} }),
    shows: /gauge/,
  },
  {
    name: 'loop',
    code: `for (;;);`,
    cause: async (platform) => {
      const noticed = (): number => platform.output.split('keeps the script busy').length;
      const before = noticed();
      void request(platform, 'loop').catch(() => {});
      const deadline = Date.now() + 60_000;
      while (noticed() === before && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    shows: new RegExp(`busy at ${position}`),
    prints: new RegExp(`keeps the script busy[^]*${position}`),
    end: async (platform) => {
      const [running] = (await platform.api<{ id: string; outcome: string }[]>('GET', '/calls')).slice(-1);
      await platform.api('POST', `/calls/${running?.id}/stop`).catch(() => {});
    },
  },
  {
    name: 'broken-build',
    cause: (platform) => breakBuild(platform, 'added = (;'),
    shows: new RegExp(`Unexpected ";"[^]*${position}`),
    prints: new RegExp(`${position}:\\d+: Unexpected ";"`),
    end: (platform) => breakBuild(platform, ''),
  },
];

async function breakBuild(platform: DevPlatform, added: string): Promise<void> {
  platform.edit('src/index.ts', (text) => `${text.replace(/\n\/\/ last\n[^]*/, '')}\n// last\n${added}`);
}

/** Causes the fault and waits until its responses have arrived. */
export const cause = ({ name, cause: own }: SeededFault, platform: DevPlatform): Promise<unknown> =>
  own ? own(platform) : request(platform, name);

/** Writes the integration with the faults to a folder, and starts the external server that it uses. */
export async function writeSeededFaults(folder: string): Promise<{ close(): Promise<void> }> {
  const outside = await serve((incoming) =>
    incoming.url.endsWith('/missing')
      ? new Response('', { status: 404 })
      : new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } }),
  );
  const branches = seededFaults.flatMap(({ name, code }) =>
    code === undefined ? [] : [`if (path === '/${name}') { ${code}; }`],
  );
  writeFileSync(
    join(folder, 'src/index.ts'),
    `import { createComponent, createIntegration, createOAuthHandler, routePath } from 'integration-platform';
const outside = '${outside.url}';
const map = createComponent({
  componentId: 'map',
  async render() {
    return { type: 'block', children: [{ type: 'gauge', children: [] }] };
  },
});
export default createIntegration({
  components: [map],
  async fetch(request, context) {
    const path = routePath(request, context.environment);
    ${branches.join('\n    ')}
    return new Response('fine');
  },
  events: { async space_content_updated() {} },
});
`,
  );
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    `name: faults
title: Faults
description: Has faults.
organization: org_local
visibility: unlisted
scopes: []
script: src/index.ts
blocks:
  - id: map
    title: Map
    description: Shows a map.
configurations:
  account:
    properties:
      channel: { type: string, title: Channel, description: Where to post. }
      room: { type: string, title: Room, description: Where to meet. }
secrets:
  API_KEY: \${{ env.API_KEY_THAT_IS_UNSET }}
`,
  );
  return outside;
}

/** Creates a second installation, and sets a value that only the first one has. */
export async function installTwice({ api }: DevPlatform): Promise<void> {
  const { link } = await api<{ link: string }>('GET', '/install-link');
  await api('POST', '/installations', { organization: 'org_other', link });
  await api('PATCH', '/configuration', { installation: 'installation_1', set: { room: 'Attic' } });
}
