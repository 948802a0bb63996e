// Twelve small integrations of different kinds, with what their users do and a double of the services that they use.

type Cli = (...argv: string[]) => Promise<Record<string, unknown>>;

export interface RecordedProject {
  name: string;
  /** Additions to the manifest. */
  manifest?: string;
  source: string;
  hosts: string[];
  /** Makes calls, and resolves to their number. */
  use(session: { endpoint: string; cli: Cli }): Promise<number>;
}

let answered = 0;

/** What the services respond. Each answer is different, as those of real services are. */
export async function answerOf(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = await request.text();
  answered += 1;
  if (url.pathname.endsWith('/token'))
    return Response.json({
      access_token: `live-access-${answered}-0a1b2c3d`,
      refresh_token: `live-refresh-${answered}`,
      expires_in: 3600,
      token_type: 'bearer',
    });
  if (url.pathname.endsWith('/old'))
    return new Response(null, { status: 302, headers: { location: '/new' } });
  if (url.pathname.endsWith('/broken')) return new Response('Down for maintenance', { status: 503 });
  if (url.pathname.endsWith('/lines'))
    return new Response('data: {"n":1}\n\ndata: {"n":2}\n\n', {
      headers: { 'content-type': 'text/event-stream' },
    });
  if (url.pathname.startsWith('/v1/customers'))
    return Response.json({ id: `cus_${answered}`, object: 'customer', email: 'ada@example.com' });
  if (url.pathname.startsWith('/video/v1/assets'))
    return Response.json({ data: { id: `asset-${answered}`, status: 'ready', playback_ids: [] } });
  return Response.json({ path: url.pathname, length: body.length, answered, at: new Date().toISOString() });
}

const get = async (endpoint: string, ...paths: string[]): Promise<number> => {
  for (const path of paths) await (await fetch(`${endpoint}${path}`, { redirect: 'manual' })).text();
  return paths.length;
};
const head = `import { createComponent, createIntegration, createOAuthHandler, routePath } from 'integration-platform';\n`;

export const recordedProjects: RecordedProject[] = [
  {
    name: 'OAuth',
    hosts: ['id.example'],
    source: `${head}export default createIntegration({
      fetch: (request: Request, context: any) => createOAuthHandler({
        clientId: 'me', clientSecret: context.environment.secrets.KEY,
        authorizeURL: 'https://id.example/authorize', accessTokenURL: 'https://id.example/token', scopes: ['read'],
      })(request, context),
    });`,
    async use({ endpoint }) {
      const sent = await fetch(`${endpoint}/oauth`, { redirect: 'manual' });
      const state = new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? '';
      return (
        1 +
        (await get(
          endpoint,
          `/oauth?code=live-code-1234567&state=${encodeURIComponent(state)}`,
          '/oauth?error=denied',
        ))
      );
    },
  },
  {
    name: 'webhooks',
    hosts: ['chat.example'],
    source: `${head}const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    export default createIntegration({
      async fetch(request: Request, { environment, waitUntil }: any) {
        const body = await request.text();
        const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(environment.secrets.KEY), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
        const signature = 'sha256=' + hex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(body)));
        if (request.headers.get('x-hub-signature-256') !== signature) return new Response('No', { status: 401 });
        waitUntil(fetch('https://chat.example/post', { method: 'POST', body: JSON.stringify({ text: JSON.parse(body).action, id: crypto.randomUUID() }) }));
        return new Response('accepted', { status: 202 });
      },
    });`,
    async use({ endpoint }) {
      const { createHmac } = await import('node:crypto');
      for (const action of ['opened', 'closed', 'forged']) {
        const body = JSON.stringify({ action });
        const signature = createHmac('sha256', action === 'forged' ? 'x' : 'live-canary-key-of-the-author')
          .update(body)
          .digest('hex');
        await fetch(endpoint, {
          method: 'POST',
          body,
          headers: { 'x-hub-signature-256': `sha256=${signature}` },
        });
      }
      return 3;
    },
  },
  {
    name: 'events',
    hosts: ['search.example'],
    source: `${head}export default createIntegration({
      events: {
        async space_content_updated(event: any) {
          await fetch('https://search.example/index', { method: 'POST', body: JSON.stringify({ revision: event.revisionId, at: new Date(), nonce: Math.random() }) });
        },
        async space_view(event: any) { console.log('viewed', event.type, Date.now()); },
      },
    });`,
    async use({ cli }) {
      await cli('trigger', 'space_content_updated');
      await cli('trigger', 'space_view');
      return 2;
    },
  },
  {
    name: 'a block with actions',
    hosts: ['votes.example'],
    manifest: 'blocks:\n  - id: vote\n    title: Vote\n    description: Votes.\n',
    source: `${head}export default createIntegration({
      components: [createComponent({
        componentId: 'vote',
        initialState: { votes: 0 },
        async action(element: any, action: any) {
          if (action.action !== 'add') return {};
          await fetch('https://votes.example/add', { method: 'POST', body: '{"by":1}' });
          return { state: { votes: element.state.votes + 1 } };
        },
        render: async (element: any) => <block><text>{element.state.votes} votes</text><button label="Vote" onPress={{ action: 'add' }} /></block>,
      })],
    });`,
    async use({ cli }) {
      await cli('render', 'vote');
      await cli('render', 'vote', '--action', 'add');
      await cli('render', 'vote', '--state', '{"votes":7}', '--action', 'add');
      return 3;
    },
  },
  {
    name: 'visitor sign-in',
    hosts: ['id.example'],
    manifest: '',
    source: `${head}const base64url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    export default createIntegration({
      events: {
        async fetch_visitor_authentication(event: any, { environment }: any) {
          const claims = { name: 'Ada', exp: Math.floor(Date.now() / 1000) + 60, jti: crypto.randomUUID() };
          const head = base64url('{"alg":"HS256"}') + '.' + base64url(JSON.stringify(claims));
          const secret = environment.signingSecrets.siteInstallation ?? environment.signingSecrets.integration;
          const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
          const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(head));
          return new Response(null, { status: 302, headers: { location: 'https://docs.example/' + (event.location ?? '') + '?jwt_token=' + head + '.' + base64url(String.fromCharCode(...new Uint8Array(signature))) } });
        },
      },
      fetch_visitor_authentication: undefined,
    } as any);`,
    async use({ cli }) {
      await cli('trigger', 'fetch_visitor_authentication');
      return 1;
    },
  },
  {
    name: 'tasks',
    hosts: ['sync.example'],
    source: `${head}export default createIntegration({
      async task(task: any) {
        const response = await fetch('https://sync.example/' + task.type, { method: 'PUT', body: JSON.stringify(task) });
        console.log(response.status);
      },
      async fetch(_request: Request, context: any) {
        await context.integration.queueTask({ task: { type: 'sync', page: 1 }, schedule: 3600 });
        return new Response('queued');
      },
    });`,
    async use({ endpoint, cli }) {
      await get(endpoint, '/');
      const { tasks } = (await cli('tasks', 'list')) as { tasks: { id: string }[] };
      for (const { id } of tasks) await cli('tasks', 'run', id);
      return 1 + tasks.length;
    },
  },
  {
    name: 'streams',
    hosts: ['model.example'],
    source: `${head}export default createIntegration({
      async fetch(request: Request, context: any) {
        const answer = await fetch('https://model.example/lines');
        if (routePath(request, context.environment) === '/pass') return new Response(answer.body, { headers: { 'content-type': 'text/event-stream' } });
        const upper = new TransformStream({ transform: (text, controller) => controller.enqueue(text.toUpperCase()) });
        return new Response(answer.body!.pipeThrough(new TextDecoderStream()).pipeThrough(upper).pipeThrough(new TextEncoderStream()));
      },
    });`,
    use: ({ endpoint }) => get(endpoint, '/pass', '/upper'),
  },
  {
    name: 'parallel requests',
    hosts: ['a.example', 'b.example', 'c.example'],
    source: `${head}export default createIntegration({
      async fetch() {
        const order: string[] = [];
        const answers = await Promise.all(['a', 'b', 'c', 'a', 'b'].map(async (name, at) => {
          const answer = await (await fetch('https://' + name + '.example/' + at)).json();
          order.push(name + at);
          return answer;
        }));
        return Response.json({ answers, order, took: Date.now() });
      },
    });`,
    use: ({ endpoint }) => get(endpoint, '/1', '/2', '/3'),
  },
  {
    name: 'the SDK of Stripe',
    hosts: ['api.stripe.com'],
    source: `import Stripe from 'stripe';\n${head}export default createIntegration({
      async fetch(request: Request, context: any) {
        const stripe = new Stripe(context.environment.secrets.KEY, { httpClient: Stripe.createFetchHttpClient(), maxNetworkRetries: 1 });
        const path = routePath(request, context.environment);
        if (path === '/create') return Response.json(await stripe.customers.create({ email: 'ada@example.com' }));
        return Response.json((await stripe.customers.retrieve('cus_1')).id);
      },
    });`,
    use: ({ endpoint }) => get(endpoint, '/create', '/read'),
  },
  {
    name: 'the SDK of Mux',
    hosts: ['api.mux.com'],
    source: `import Mux from '@mux/mux-node';\n${head}export default createIntegration({
      async fetch(_request: Request, context: any) {
        const mux = new Mux({ tokenId: 'me', tokenSecret: context.environment.secrets.KEY });
        const asset = await mux.video.assets.create({ inputs: [{ url: 'https://files.example/a.mp4' }], playback_policies: ['public'] });
        return Response.json(asset);
      },
    });`,
    use: ({ endpoint }) => get(endpoint, '/', '/again'),
  },
  {
    name: 'failures and time limits',
    hosts: ['api.example'],
    source: `${head}export default createIntegration({
      async fetch(request: Request, context: any) {
        switch (routePath(request, context.environment)) {
          case '/redirect': { const answer = await fetch('https://api.example/old'); return Response.json([answer.redirected, answer.url, (await answer.json()).path]); }
          case '/retry': {
            let tries = 0;
            for (; tries < 3; tries += 1) { const answer = await fetch('https://api.example/broken', { signal: AbortSignal.timeout(5000) }); if (answer.ok) break; await new Promise((resolve) => setTimeout(resolve, 20 * tries)); }
            return Response.json({ tries }, { status: 502 });
          }
          case '/refused': return Response.json(await fetch('https://elsewhere.example/').catch((error) => [error.name, error.message]));
          case '/throw': throw new Error('broken by design');
          default: return new Response(null, { status: 204, headers: { etag: '"1"', vary: 'accept' } });
        }
      },
    });`,
    use: ({ endpoint }) => get(endpoint, '/redirect', '/retry', '/refused', '/throw', '/none'),
  },
  {
    name: 'forms, digests and compression',
    hosts: ['files.example'],
    source: `${head}export default createIntegration({
      async fetch(request: Request) {
        const form = await request.formData();
        const upload = new FormData();
        upload.set('title', String(form.get('title')));
        upload.set('file', new Blob([await new Response((form.get('file') as File).stream()).arrayBuffer()]), 'a.txt');
        const answer = await fetch('https://files.example/upload', { method: 'POST', body: upload });
        const packed = await new Response(new Blob(['x'.repeat(5000)]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(String(form.get('title')))));
        return Response.json({ ok: answer.ok, small: packed.byteLength < 200, digest: [...digest.slice(0, 4)], random: [...crypto.getRandomValues(new Uint8Array(4))] });
      },
    });`,
    async use({ endpoint }) {
      for (const title of ['Report', 'Other']) {
        const form = new FormData();
        form.set('title', title);
        form.set('file', new Blob(['content']), 'a.txt');
        await (await fetch(endpoint, { method: 'POST', body: form })).text();
      }
      return 2;
    },
  },
];
