// A small integration of the usual shape, whose code the seeded changes edit.

export const manifestText = `name: tickets
title: Tickets
description: Shows and creates tickets.
organization: acme
visibility: private
scopes: []
script: src/index.tsx
secrets:
  WEBHOOK_SECRET: \${{ env.WEBHOOK_SECRET }}
  API_KEY: \${{ env.API_KEY }}
blocks:
  - id: card
    title: Card
    description: A ticket.
configurations:
  account:
    properties:
      language: { type: string, title: Language }
      channel: { type: string, title: Channel, default: general }
`;

export const sources: Record<string, string> = {
  'src/index.tsx': `import { createComponent, createIntegration, routePath } from 'integration-platform';
import { createTicket, listTickets, notify, updateTicket, type Ticket } from './api';
import { formatDate, percent, plural, toCsv } from './format';
import { isSigned } from './signature';

const card = createComponent({
  componentId: 'card',
  initialState: { open: true, votes: 0 },
  async action(element: any, action: any) {
    if (action.action === 'vote') return { state: { ...element.state, votes: element.state.votes + 1 } };
    if (action.action === 'close') {
      await updateTicket('T-1', { state: 'closed' });
      return { state: { ...element.state, open: false } };
    }
    return {};
  },
  render: async (element: any) => (
    <block>
      <text>{element.state.open ? 'This ticket is open' : 'This ticket was closed'}</text>
      <text>{plural(element.state.votes, 'vote')}</text>
      {element.state.open && <button label="Close the ticket" onPress={{ action: 'close' }} />}
    </block>
  ),
});

async function list(url: URL): Promise<Response> {
  const state = url.searchParams.get('state') ?? 'open';
  const page = Number(url.searchParams.get('page') ?? 1);
  const tickets = (await listTickets(page)).filter((ticket) => ticket.state === state);
  tickets.sort((a, b) => b.priority - a.priority);
  const headers: Record<string, string> = { 'cache-control': 'max-age=60' };
  if (page > 1) headers['link'] = '</tickets?page=' + (page - 1) + '>; rel="prev"';
  const total = tickets.length;
  return Response.json({ text: plural(total, 'ticket'), tickets: tickets.map(summary), share: percent(total, 4) }, { headers });
}

const summary = (ticket: Ticket) => ({
  id: ticket.id,
  title: ticket.title.trim(),
  assignee: ticket.assignee?.name ?? 'nobody',
  created: formatDate(ticket.created),
});

async function create(request: Request): Promise<Response> {
  const { title, labels = [] } = (await request.json()) as { title?: string; labels?: string[] };
  if (!title) return Response.json({ error: 'The title is missing.' }, { status: 400 });
  const ticket = await createTicket({ title, labels, source: 'docs' });
  return Response.json({ id: ticket.id }, { status: 201, headers: { location: '/tickets/' + ticket.id } });
}

export default createIntegration({
  components: [card],
  events: {
    async space_content_updated(event: any, { environment }: any) {
      const { language, channel } = environment.installation.configuration;
      const text = language === 'de' ? 'Die Seite wurde geändert' : 'The page was changed';
      await updateTicket('T-9', { comment: text });
      await notify(channel, text + ' (' + event.revisionId + ')');
    },
  },
  async task(task: any) {
    for (let page = 1; page <= 2; page += 1) {
      const tickets = await listTickets(page);
      for (const ticket of tickets) if (ticket.priority > 2) await notify('alerts', 'Urgent: ' + ticket.title.trim());
    }
    console.log('done', task.type);
  },
  async fetch(request, { environment, waitUntil }: any) {
    const url = new URL(request.url);
    switch (request.method + ' ' + routePath(request, environment)) {
      case 'GET /tickets':
        return list(url);
      case 'POST /tickets':
        return create(request);
      case 'GET /export.csv': {
        const csv = toCsv(await listTickets(1));
        return new Response(csv, { headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="tickets.csv"' } });
      }
      case 'POST /webhook': {
        const body = await request.text();
        if (!(await isSigned(body, request.headers.get('x-signature'), environment.secrets.WEBHOOK_SECRET)))
          return new Response('The signature is wrong.', { status: 401 });
        const { ticket } = JSON.parse(body);
        waitUntil(notify('support', 'Reopened: ' + ticket.title));
        return new Response('accepted', { status: 202 });
      }
      case 'GET /login': {
        const to = new URL('https://tickets.example/authorize');
        to.searchParams.set('scope', 'read write');
        to.searchParams.set('state', crypto.randomUUID());
        return Response.redirect(to.href, 302);
      }
      default:
        return new Response('There is nothing here.', { status: 404 });
    }
  },
});
`,
  'src/api.ts': `export interface Ticket {
  id: string;
  title: string;
  state: string;
  priority: number;
  created: string;
  assignee?: { name: string };
}

const base = 'https://api.tickets.example';
const pageSize = 50;

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(5000) });
    if (response.status !== 503 || attempt === 3) return response;
    await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
  }
}

const send = (method: string, path: string, value: unknown): Promise<Response> =>
  request(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

export async function listTickets(page: number): Promise<Ticket[]> {
  const query = new URLSearchParams({ page: String(page), limit: String(pageSize) });
  const response = await request('/tickets?' + query);
  const { tickets } = (await response.json()) as { tickets: Ticket[] };
  return tickets;
}

export async function createTicket(values: { title: string; labels: string[]; source: string }): Promise<Ticket> {
  const response = await send('POST', '/tickets', values);
  if (!response.ok) throw new Error('The ticket was not created: ' + response.status);
  return (await response.json()) as Ticket;
}

export async function updateTicket(id: string, values: object): Promise<void> {
  await send('PATCH', '/tickets/' + encodeURIComponent(id), values);
}

export async function notify(channel: string, text: string): Promise<void> {
  await fetch('https://chat.example/hooks/' + channel, {
    method: 'POST',
    signal: AbortSignal.timeout(5000),
    body: JSON.stringify({ text, icon: 'ticket' }),
  });
}
`,
  'src/format.ts': `import type { Ticket } from './api';

export const plural = (count: number, word: string): string => count + ' ' + (count === 1 ? word : word + 's');

export const formatDate = (iso: string): string => {
  const date = new Date(iso);
  return date.getUTCDate() + '.' + (date.getUTCMonth() + 1) + '.' + date.getUTCFullYear();
};

export const percent = (part: number, all: number): string => Math.round((part / all) * 100) + ' %';

export const toCsv = (tickets: readonly Ticket[]): string => {
  const rows = tickets.map(({ id, title, state }) => [id, title.trim(), state].map(quote).join(','));
  return ['id,title,state', ...rows].join('\\n');
};

const quote = (text: string): string => (/[",\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
`,
  'src/signature.ts': `export async function isSigned(body: string, signature: string | null, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
  const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(body)));
  const hex = [...expected].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return signature === 'sha256=' + hex;
}
`,
};
