import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorMessage } from '../../src/base/text/error-message.js';
import { loadManifest, manifestIn } from '../../src/manifest/index.js';
import type { Integration } from '../../src/protocol/integration.js';
import { importProject } from '../../src/scaffold/import/import-project.js';
import { createTestPlatform } from '../../src/testing/index.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

/** A repository of integrations for another platform, with its packages installed. It is not part of this project. */
const given = process.env['IN_PLACE_REPOSITORY'];
/** The commit that docs/benchmarks.md describes. */
const commit = 'fbf5fe9c686b4792ff336a590cf127f103d9c516';
const sdk = fileURLToPath(new URL('../..', import.meta.url));
const events = [
  'installation_setup',
  'space_installation_setup',
  'site_installation_setup',
  'space_view',
  'site_view',
  'space_content_updated',
  'page_feedback',
  'fetch_published_script',
  'fetch_visitor_authentication',
  'installation_deleted',
] as const;

interface Outcome {
  /** The response to each envelope, by its event, request or component: the status, and the body or tree. */
  responses: Record<string, string>;
  /** Why the script does not load. */
  cause?: string;
}

const component = /^(block|screen) /;
const both = '1 of 1 / 1 of 1';

/** A link that the block unfurls. */
const linkTo = ({ blocks }: Integration, id: string): string | undefined =>
  blocks.find((block) => block.id === id)?.urlUnfurl[0]?.replaceAll(/[*]+/g, 'made-up');

/** Addresses and generated ids differ in each start. */
const comparable = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(
    /127\.[\d.]+:\d+|\b[\da-f-]{32,}\b|\b[a-z]+_\w{12,}|[\w-]+\.[\w-]+\.[\w-]{20,}/g,
    '*',
  );

/** Without another repository: three small integrations, and a runtime that answers as simply as possible. */
function smallRepository(): string {
  const folder = temporaryFolder();
  const monorepo = fileURLToPath(new URL('../fixtures/monorepo', import.meta.url));
  for (const name of ['analytics', 'translate', 'unfurl'])
    cpSync(join(monorepo, 'integrations', name), join(folder, 'integrations', name), { recursive: true });
  cpSync(join(monorepo, 'packages'), join(folder, 'node_modules/@acme'), { recursive: true });
  writeFiles(folder, { 'integrations/translate/src/languages.json': '["de"]' });
  writeFiles(join(folder, 'node_modules/@acme/runtime'), {
    'package.json': '{ "type": "module", "exports": { ".": "./index.js", "./jsx-runtime": "./jsx.js" } }',
    'jsx.js': `const list = (children) => children.filter((child) => child != null && typeof child !== 'boolean');
      export const jsx = (type, { children, ...props }) =>
        ({ type, ...props, ...(children !== undefined && { children: list([children].flat(9)) }) });
      export const jsxs = jsx;`,
    'index.js': `export const createComponent = (component) => component;
      export const createIntegration = ({ events = {}, components = [], ...published }) => ({
        async fetch(request) {
          const form = await request.formData();
          const event = JSON.parse(form.get('event'));
          const context = { environment: JSON.parse(form.get('environment')) };
          const component = components.find(({ componentId }) => componentId === event.componentId);
          if (component) {
            const { props = {}, state = component.initialState ?? {} } = event;
            return Response.json({ type: 'element', element: await component.render({ props, state }, context), props, state });
          }
          if (event.type === 'fetch')
            return Response.json({ error: 'Integration does not handle HTTP requests' }, { status: 400 });
          const handler = published[event.type] ?? events[event.type];
          if (!handler) return new Response(null, { status: event.type.startsWith('fetch_') ? 400 : 406 });
          return (await handler(event, context)) ?? new Response('OK');
        },
      });`,
  });
  return folder;
}

async function tryProject(folder: string): Promise<Outcome> {
  const responses: Outcome['responses'] = {};
  const loaded = loadManifest({ file: manifestIn(folder) ?? '' });
  if (!loaded.ok) return { responses, cause: 'the manifest has errors' };
  const { secrets, integration } = loaded.value;
  try {
    const platform = await createTestPlatform({
      manifest: folder,
      unstubbed: 'refuse',
      // OAuth fails in a converted project if one is missing, and some are URLs.
      secrets: Object.fromEntries(secrets.map(({ name }) => [name, 'https://made-up.example'])),
    });
    platform.stub('https://*', () => Response.json({}, { status: 404 }));
    const screens = Object.values(integration.configurations).flatMap((one) => one?.componentId ?? []);
    // Screens are for users who have not connected an account.
    const configuration = screens.length === 0 ? { oauth_credentials: { access_token: 'made-up' } } : {};
    // Where and with what a user would insert the block.
    const target = integration.blocks.length > 0 ? { space: 'space_local' } : {};
    await platform.install({ configuration });
    for (const type of events) {
      // An integration for sites gets no events of a space, and the reverse.
      const sent = await platform.trigger({ type }).catch(() => undefined);
      if (sent) responses[type] = String(sent.status);
    }
    for (const path of ['/', '/webhook', '/oauth']) {
      const response = await platform.fetch(path);
      responses[`GET ${path}`] = `${response.status} ${comparable(await response.text())}`;
    }
    for (const id of [...integration.blocks.map((block) => block.id), ...screens])
      responses[`${screens.includes(id) ? 'screen' : 'block'} ${id}`] = await platform
        .render(id, { ...target, props: { url: linkTo(integration, id) } })
        .then(
          ({ element }) => `200 ${comparable(element)}`,
          (error: unknown) => `500 ${errorMessage(error).replace(/ \(.*|\n[^]*/, '')}`,
        );
    await platform.close();
    return { responses };
  } catch (error) {
    return { responses, cause: errorMessage(error).split('\n').slice(0, 2).join(' ') };
  }
}

/** Writes what `init --from` makes of a project into a folder that finds the same packages. */
async function convert(folder: string, to: string): Promise<string> {
  const { files } = await importProject(folder, { sdkSpec: '^1.0.0' });
  writeFiles(to, Object.fromEntries(files));
  const own = join(folder, 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(to, 'node_modules'));
  return to;
}

test('runs each integration of a repository as it is and converted, with the same responses', async () => {
  const repository = given ?? smallRepository();
  const integrations = join(repository, 'integrations');
  if (given !== undefined)
    expect(execFileSync('git', ['-C', given, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()).toBe(commit);
  const copies = temporaryFolder();
  mkdirSync(join(copies, 'node_modules'));
  for (const name of readdirSync(join(repository, 'node_modules')))
    symlinkSync(join(repository, 'node_modules', name), join(copies, 'node_modules', name));
  symlinkSync(sdk, join(copies, 'node_modules/integration-platform'));
  const rows: string[] = [];
  const total = { projects: 0, here: 0, there: 0, envelopes: 0, same: 0, blocks: '', screens: '' };
  const all: [Outcome, Outcome][] = [];
  for (const name of readdirSync(integrations)) {
    const folder = join(integrations, name);
    if (manifestIn(folder) === undefined) continue;
    const here = await tryProject(folder);
    const there = await convert(folder, join(copies, name)).then(tryProject, (error: unknown): Outcome => ({
      responses: {},
      cause: errorMessage(error),
    }));
    const sent = Object.keys(here.responses);
    const different = sent.filter((one) => here.responses[one] !== there.responses[one]);
    all.push([here, there]);
    total.projects += 1;
    total.here += here.cause === undefined ? 1 : 0;
    total.there += there.cause === undefined ? 1 : 0;
    total.envelopes += sent.length;
    total.same += sent.length - different.length;
    const shown = different.map((one) => `${one}: ${here.responses[one]} / ${there.responses[one]}`);
    const failed = sent.filter((one) => component.test(one) && here.responses[one]?.startsWith('500'));
    rows.push(
      `| ${name} | ${here.cause ?? rendered([here], component)} | ${there.cause ?? rendered([there], component)} | ${sent.length} | ${shown.join('<br>').slice(0, 300)} | ${failed.map((one) => here.responses[one]).join('<br>')} |`,
    );
  }
  for (const kind of ['block', 'screen'] as const) {
    const [here, there] = [0, 1].map((side) => all.map((pair) => pair[side] ?? { responses: {} }));
    total[`${kind}s`] =
      `${rendered(here ?? [], RegExp(`^${kind} `))} / ${rendered(there ?? [], RegExp(`^${kind} `))}`;
  }
  console.log(
    [
      '| integration | rendered in place | rendered converted | envelopes | different | not rendered |',
      ...rows,
      JSON.stringify(total),
    ].join('\n'),
  );
  expect(total.here).toBeGreaterThanOrEqual(total.there);
  if (given === undefined)
    expect(total).toMatchObject({ here: 3, there: 3, same: total.envelopes, blocks: both, screens: both });
});

/** How many of the components are rendered. */
function rendered(outcomes: readonly Outcome[], kind: RegExp): string {
  const shown = outcomes.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([name, response]) => (kind.test(name) ? [response] : [])),
  );
  return `${shown.filter((response) => response.startsWith('200')).length} of ${shown.length}`;
}
