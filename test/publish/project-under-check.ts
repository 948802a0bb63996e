import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixture, type FsFixture } from 'fs-fixture';
import { systemClock } from '../../src/base/clock.js';
import type { Emulator } from '../../src/emulator/index.js';
import {
  checkProjectIn,
  type CheckedProject,
  type CheckProjectOptions,
} from '../../src/publish/check-project.js';
import type { CreateProbeHost } from '../../src/publish/probe/probe-host.js';
import { renderProbe } from '../../src/publish/probe/probe-source.js';
import { createInProcessHost, type ScriptModule } from '../../src/sandbox/index.js';
import { png } from './png.js';

const origin = 'http://127.0.0.1:4100';

/** Runs the script in this process, which is faster and gives the same results. */
export const inProcessHost: CreateProbeHost = async () => {
  const blocked: string[] = [];
  const errors: string[] = [];
  let emulator: Pick<Emulator, 'fetch'> | undefined;
  let host: ReturnType<typeof createInProcessHost> | undefined;
  const live = () => {
    if (!host) throw new Error('Nothing is loaded.');
    return host;
  };
  return {
    timers: systemClock,
    origin,
    serve: (platform) => (emulator = platform),
    errors: () => errors,
    async load(script) {
      const module = `data:text/javascript;base64,${Buffer.from(renderProbe(script).code).toString('base64')}`;
      const loaded = (await import(/* @vite-ignore */ module)) as { default: ScriptModule };
      // A stack would print the whole URL.
      const integration: ScriptModule = {
        fetch: async (...args) => {
          try {
            return await loaded.default.fetch(...args);
          } catch {
            return Response.json({ error: 'Internal server error' }, { status: 500 });
          }
        },
      };
      host = createInProcessHost({
        integration,
        observer: { mask: (text) => text, log() {}, outbound() {}, background() {} },
        fetch: async (input, init) => {
          const request = new Request(input, init);
          const { host } = new URL(request.url);
          if (request.url.startsWith(origin) && emulator) return emulator.fetch(request);
          blocked.push(host);
          throw new TypeError(`no network: ${host}`);
        },
      });
    },
    call: (call) => live().call(call),
    raw: (id, request) => live().raw(id, request),
    blocked: async () => [...blocked],
    close: async () => host?.close(),
  };
};

export type Files = Record<string, string | Buffer>;

export const manifest = `name: weather
title: Weather
description: Shows the weather of a place, in a block that readers can refresh.
summary: |
  Insert the block, name a place, and readers see its weather.
organization: acme
visibility: public
categories:
  - content
scopes:
  - space:content:read
script: ./src/index.tsx
icon: ./icon.png
previewImages:
  - ./preview.png
externalLinks:
  - label: Documentation
    url: https://docs.acme.dev/weather
blocks:
  - id: weather
    title: Weather
    description: The weather of a place.
configurations:
  account:
    componentId: screen
    properties:
      place:
        type: string
        title: Place
        completion_url: /places
      oauth_credentials:
        type: button
        title: Account
        button_text: Connect
        callback_url: /oauth
    required:
      - place
      - oauth_credentials
secrets:
  CLIENT_ID: \${{ env.CLIENT_ID }}
`;

export const source = `import { createComponent, createIntegration, createOAuthHandler, routePath } from 'integration-platform';

const weather = createComponent({
  componentId: 'weather',
  async render() {
    return <block><text>Sunny</text></block>;
  },
});

const screen = createComponent({
  componentId: 'screen',
  async render(element) {
    const { place } = element.props.installation.configuration;
    return <configuration><text>{place}</text></configuration>;
  },
});

export default createIntegration({
  components: [weather, screen],
  async fetch(request, context) {
    switch (routePath(request, context.environment)) {
      case '/places':
        return Response.json(['Bern', 'Oslo']);
      case '/oauth':
        return createOAuthHandler({
          clientId: context.environment.secrets.CLIENT_ID,
          clientSecret: 'from elsewhere',
          authorizeURL: 'https://provider.acme.dev/authorize',
          accessTokenURL: 'https://provider.acme.dev/token',
        })(request, context);
      default:
        return new Response('Not found', { status: 404 });
    }
  },
  events: {
    space_content_updated: async () => {},
  },
});
`;

const good: Files = {
  'platform-manifest.yaml': manifest,
  'src/index.tsx': source,
  'icon.png': png(512, 512),
  'preview.png': png(1600, 800),
  'package.json': '{ "name": "weather", "version": "1.2.0" }',
  '.env': 'CLIENT_ID=client-id-of-acme\n',
};

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A project that passes every check, with the given changes. */
export async function createProject(changes: Files = {}): Promise<FsFixture> {
  const fixture = await createFixture({
    ...Object.fromEntries(
      Object.entries({ ...good, ...changes }).map(([path, text]) => [`project/${path}`, text]),
    ),
    'sdk/package.json': JSON.stringify({
      name: 'integration-platform',
      exports: {
        '.': './src/runtime/index.ts',
        './jsx-runtime': './src/runtime/jsx-runtime.ts',
        './webhooks': './src/webhooks/index.ts',
      },
    }),
  });
  symlinkSync(join(repository, 'src'), join(fixture.path, 'sdk/src'));
  return fixture;
}

export const check = (
  fixture: FsFixture,
  options: Partial<CheckProjectOptions> = {},
  createHost = inProcessHost,
): Promise<CheckedProject> =>
  checkProjectIn(createHost, {
    file: fixture.getPath('project/platform-manifest.yaml'),
    cwd: fixture.path,
    env: {},
    target: 'marketplace',
    strict: false,
    sdkFolder: fixture.getPath('sdk'),
    ...options,
  });
