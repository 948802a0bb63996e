export interface Template {
  name: string;
  summary: string;
  /** What the new manifest says the integration does. */
  description: string;
  scopes: readonly string[];
  secrets: readonly TemplateSecret[];
  /** What the author has to replace before publishing, beside what every template has. */
  todo: readonly string[];
  /** What the local platform needs to run it offline. */
  devFlags?: string;
}

export interface TemplateSecret {
  name: string;
  meaning: string;
  /** What the generated local value begins with. */
  prefix: string;
}

export const templates: readonly Template[] = [
  {
    name: 'block',
    summary: 'a custom block with state and actions',
    description: 'Adds a counter that readers of a page can press.',
    scopes: [],
    secrets: [],
    todo: [],
  },
  {
    name: 'webhook-receiver',
    summary: 'receives signed webhooks at its public endpoint',
    description: 'Receives signed webhooks and handles each event once.',
    scopes: [],
    secrets: [
      { name: 'WEBHOOK_SECRET', meaning: 'the signing secret of the webhook endpoint', prefix: 'whsec_' },
    ],
    todo: [],
  },
  {
    name: 'oauth',
    summary: 'connects an account of another service and calls it',
    description: 'Connects an account of another service and shows whose it is.',
    scopes: [],
    secrets: [
      { name: 'CLIENT_ID', meaning: 'the client id that the provider gave you', prefix: 'client_' },
      { name: 'CLIENT_SECRET', meaning: 'the client secret that the provider gave you', prefix: 'secret_' },
    ],
    todo: ['Put the addresses of your provider into src/provider'],
    devFlags: '--oauth-provider local',
  },
  {
    name: 'events',
    summary: 'reacts to content updates and views',
    description: 'Tells a channel of yours when a space changes, and logs which pages are read.',
    scopes: ['space:content:read', 'space:metadata:read'],
    secrets: [],
    todo: [],
  },
  {
    name: 'blank',
    summary: 'the least that runs: one event and one address',
    description: 'Greets whoever opens its public endpoint.',
    scopes: [],
    secrets: [],
    todo: [],
  },
];
