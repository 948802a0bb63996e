import type { Environment } from '../../src/protocol/environment.js';
import type { FetchEvent } from '../../src/protocol/events.js';

export const event: FetchEvent = {
  type: 'fetch',
  eventId: 'evt_1',
  installationId: 'inst_1',
  request: { url: 'http://localhost/', method: 'POST', headers: {} },
};

export const environment: Environment = {
  apiEndpoint: 'http://127.0.0.1:4100/api',
  apiTokens: { integration: 'token-of-integration' },
  integration: {
    name: 'sample',
    title: 'Sample',
    version: 1,
    urls: { publicEndpoint: 'http://127.0.0.1:4100/x', publicContentEndpoint: '', icon: '', app: '' },
    externalLinks: [],
  },
  secrets: { KEY: 'canary-secret' },
  signingSecrets: { integration: 'signing-secret' },
};

/** A module whose `fetch` runs these statements with `request`, `context`, and the text of the body as `body`. */
export const script = (statements: string, before = ''): { code: string } => ({
  code: `${before}
export default {
  async fetch(request, env, context) {
    const form = await request.formData();
    const body = await form.get('fetch-body')?.text();
    ${statements}
  },
};`,
});

/** `runBody(body, names)` runs the body as a function's statements. Only Node's loader still compiles text. */
export const runBody = `
import process from 'node:process';
const runBody = async (body, names = {}) => {
  const source = 'import process from "node:process";' +
    'export default async ({ ' + Object.keys(names) + ' }) => {' + body + '}';
  return (await import('data:text/javascript,' + encodeURIComponent(source))).default(names);
};`;

/** Does what the body says. */
export const obedient = script(
  `
  if (body === 'loop') { console.log('looping'); for (;;); }
  if (body === 'hang') await new Promise(() => {});
  if (body === 'wait') await new Promise((resolve) => setTimeout(resolve, 20));
  if (body !== 'wait') await runBody(body);
  return new Response('fine')`,
  runBody,
);
