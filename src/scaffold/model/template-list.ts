export interface Template {
  name: string;
  summary: string;
  /** The description in the new manifest. */
  description: string;
  scopes: readonly string[];
  secrets: readonly TemplateSecret[];
  /** The blocks in the template's manifest, which are used in the sample pages. */
  blocks: readonly { id: string; title: string; description: string }[];
  /** What the author must replace before publishing, in addition to what every template requires. */
  todo: readonly string[];
  /** Options that `platform dev` needs to run the template offline. */
  devFlags?: string;
}

export interface TemplateSecret {
  name: string;
  meaning: string;
  /** The prefix of the local value that `platform init` generates for this secret. */
  prefix: string;
}

export const templates: readonly Template[] = [
  {
    name: 'block',
    summary: 'a custom block with state and actions',
    description: 'Adds a counter that readers can press.',
    scopes: [],
    secrets: [],
    blocks: [{ id: 'counter', title: 'Counter', description: 'Counts how often its button is pressed.' }],
    todo: [],
  },
  {
    name: 'webhook-receiver',
    summary: 'receives signed webhooks at its public endpoint',
    description: 'Receives signed webhooks, and handles each event once.',
    scopes: [],
    secrets: [
      { name: 'WEBHOOK_SECRET', meaning: 'the signing secret of the webhook endpoint', prefix: 'whsec_' },
    ],
    blocks: [],
    todo: [],
  },
  {
    name: 'oauth',
    summary: 'connects an account on another service and calls it',
    description: 'Connects an account on another service, and shows its profile.',
    scopes: [],
    secrets: [
      { name: 'CLIENT_ID', meaning: 'the client id that the provider gave you', prefix: 'client_' },
      { name: 'CLIENT_SECRET', meaning: 'the client secret that the provider gave you', prefix: 'secret_' },
    ],
    blocks: [],
    todo: ['Enter the URLs of your provider in src/provider'],
    devFlags: '--oauth-provider local',
  },
  {
    name: 'events',
    summary: 'reacts to content updates and views',
    description: 'Sends a message when a space changes, and logs which pages are viewed.',
    scopes: ['space:content:read', 'space:metadata:read'],
    secrets: [],
    blocks: [],
    todo: [],
  },
  {
    name: 'blank',
    summary: 'a minimal integration: one event and one endpoint',
    description: 'Responds with a greeting at its public endpoint.',
    scopes: [],
    secrets: [],
    blocks: [],
    todo: [],
  },
];
