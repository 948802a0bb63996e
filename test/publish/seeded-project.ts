import { parseManifest, type Manifest } from '../../src/manifest/index.js';
import { replayCalls } from '../../src/recordings/index.js';
import type { RecordedCall, Recording } from '../../src/recordings/file/recording.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import type { RunReplay } from '../../src/sandbox/index.js';

export const manifestText = `name: sample
title: Sample
description: Shows tickets.
organization: acme
visibility: public
target: all
scopes:
  - space:content:read
script: index.ts
secrets:
  API_KEY: \${{ env.API_KEY }}
  OTHER_KEY: \${{ env.OTHER_KEY }}
blocks:
  - id: card
    title: Card
    description: A ticket.
    urlUnfurl:
      - https://tickets.example/*
      - https://old.tickets.example/*
    markdown:
      codeblock: ticket
      body: source
  - id: list
    title: List
    description: Many tickets.
contentSources:
  - id: docs
    title: Docs
configurations:
  account:
    properties:
      greeting: { type: string, title: Greeting, default: Hello }
      unit: { type: string, title: Unit, enum: [km, mile] }
      place: { type: string, title: Place }
      limit: { type: number, title: Limit, default: 3 }
      loud: { type: boolean, title: Loud, default: true }
      connect: { type: button, title: Connect, button_text: Connect, callback_url: /oauth }
    required: [unit]
  site:
    componentId: sites
  space:
    properties:
      color: { type: string, title: Color, enum: [red, blue], default: red }
    required: []
`;

export const scriptText = `const api = 'https://api.tickets.example';
async function render(event, { configuration }, secrets) {
  const { url } = event.props;
  const id = url.split('/').at(-1);
  const response = await fetch(api + '/tickets/' + id, { headers: { authorization: secrets.API_KEY } });
  if (!response.ok) return { type: 'element', element: { type: 'text', text: 'Not found' } };
  const ticket = await (response.json());
  const title = configuration.loud ? ticket.title.toUpperCase() : ticket.title;
  return { type: 'element', element: { type: 'block', title, greeting: configuration.greeting, limit: configuration.limit, unit: configuration.unit } };
}
async function comment(event, { configuration }) {
  const text = configuration.greeting + ', ' + event.author.name.trim();
  await fetch(api + '/comments', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text, page: event.pageId }) });
  return new Response('commented', { status: 201 });
}
async function request(event, { configuration }, space) {
  const { pathname, searchParams } = new URL(event.request.url);
  if (pathname === '/oauth') return Response.redirect('https://tickets.example/authorize?client=1', 302);
  if (pathname === '/units') return Response.json([configuration.unit, space?.configuration.color]);
  if (pathname === '/search') return Response.json({ found: searchParams.get('q').split(' ') });
  return new Response('unknown', { status: 404 });
}
export default {
  async fetch(incoming, env, context) {
    const form = await incoming.formData();
    const event = JSON.parse(form.get('event'));
    const { installation, spaceInstallation, secrets } = JSON.parse(form.get('environment'));
    try {
      if (event.type === 'ui_render') return Response.json(await render(event, installation, secrets));
      if (event.type === 'space_content_updated') return await comment(event, installation);
      if (event.type === 'fetch') return await request(event, installation, spaceInstallation);
      if (event.type === 'space_view') {
        context.waitUntil(fetch(api + '/views', { method: 'PUT', body: 'viewed' }).then((response) => response.text()));
        return new Response('noted');
      }
      return new Response('no handler', { status: 406 });
    } catch (error) {
      console.error(error);
      return new Response('failed', { status: 500 });
    }
  },
};
`;

const installation = {
  id: 'ins_1',
  organization: 'acme',
  status: 'active' as const,
  configuration: { unit: 'mile', place: 'Oslo' },
  externalIds: [],
};
const spaceInstallation = { space: 'docs', status: 'active' as const, configuration: {}, externalIds: [] };
const call = (
  name: string,
  event: RecordedCall['event'],
  outbound: RecordedCall['outbound'] = [],
): RecordedCall => ({
  name,
  after: 0,
  stored: { installation, spaceInstallation },
  event: { eventId: 'evt_1', installationId: 'ins_1', ...event },
  outbound,
});
const fetched = (path: string): RecordedCall =>
  call(path, { type: 'fetch', request: { url: `http://localhost${path}`, method: 'GET', headers: {} } });
const api = 'https://api.tickets.example';

const calls = [
  call(
    'ui_render card',
    { type: 'ui_render', componentId: 'card', props: { url: 'https://tickets.example/T-1' } },
    [
      {
        send: `GET ${api}/tickets/T-1`,
        answer: { status: 200, body: { title: 'A ticket', state: 'open' } },
        ms: 20,
      },
    ],
  ),
  call(
    'ui_render card, missing',
    { type: 'ui_render', componentId: 'card', props: { url: 'https://tickets.example/T-2' } },
    [{ send: `GET ${api}/tickets/T-2`, answer: { status: 404, body: { error: 'none' } }, ms: 20 }],
  ),
  call('space_content_updated', { type: 'space_content_updated', pageId: 'p1', author: { name: ' Ana ' } }, [
    {
      send: `POST ${api}/comments`,
      body: { text: 'Hello, Ana', page: 'p1' },
      answer: { status: 201 },
      ms: 30,
    },
  ]),
  call('space_view', { type: 'space_view' }, [
    { send: `PUT ${api}/views`, body: 'viewed', answer: { status: 200, body: 'ok' }, ms: 10 },
  ]),
  fetched('/oauth'),
  fetched('/units'),
  fetched('/search?q=a+b'),
];

export const read = (text: string): Manifest => {
  const loaded = parseManifest(text);
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  return loaded.value;
};

/** Records calls with the first version, like `platform record`. */
export async function recordFirstVersion(run: RunReplay): Promise<Recording> {
  const secrets = { API_KEY: 'example-api-key', OTHER_KEY: 'example-other' };
  const recording: Recording = {
    version: 1,
    integration: 'sample',
    platform: '0.3.0',
    at: '2026-01-02T03:04:05.000Z',
    secrets,
    calls,
  };
  const { integration } = read(manifestText);
  const results = await replayCalls({ recording, integration, script: { code: scriptText }, run });
  return {
    ...recording,
    calls: results.map(({ call: recorded, outcome }) => ({
      ...recorded,
      ...toRecorded(outcome, recorded.outbound),
    })),
  };
}
