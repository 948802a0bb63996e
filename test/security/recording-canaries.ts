import { gzipSync } from 'node:zlib';
import { secretForms } from '../support/secret-forms.js';

export interface Canary {
  what: string;
  value: string;
  /** What is searched for, if it is split. */
  parts?: string[];
  /** How it reaches the script: in a request, or in the answer of another service. */
  request?: () => RequestInit & { path?: string; query?: string };
  answer?: () => Response;
  /** SECURITY.md says that it stays in a recording. */
  kept?: true;
}

let made = 0;
/** Contains characters that every encoding changes. */
const next = (tail = '/+?é"'): string => {
  made += 1;
  return `Zq${made}vKt${(made * 7919 + 104_729).toString(36)}Wm${tail}`;
};
const plain = (): string => next('');

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const json = (value: unknown): string => JSON.stringify(value);
const form = (name: string) => secretForms[name] ?? String;

const jwt = (claims: object): string =>
  [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(json(part)).toString('base64url'))
    .join('.') + `.${Buffer.from('signed-by-somebody-else').toString('base64url')}`;

const multipart = (name: string, value: string): RequestInit => ({
  headers: { 'content-type': 'multipart/form-data; boundary=cut' },
  body: `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--cut--\r\n`.replace(
    'content-disposition',
    'Content-Disposition',
  ),
});

type Send = (value: string) => Pick<Canary, 'request' | 'answer' | 'kept' | 'parts'>;
const sent =
  (init: (value: string) => RequestInit & { path?: string; query?: string }): Send =>
  (value) => ({
    request: () => init(value),
  });
const answered =
  (body: (value: string) => string, headers?: (value: string) => HeadersInit): Send =>
  (value) => ({
    answer: () => new Response(body(value), headers ? { headers: headers(value) } : undefined),
  });
const kept =
  (send: Send): Send =>
  (value) => ({ ...send(value), kept: true });

/** Secrets that the platform knows, because the manifest declares them. */
const declared: [what: string, send: Send, value?: string][] = [
  ['known, in a JSON body', sent((value) => ({ body: json({ note: value }) }))],
  ['known, in base64', answered((value) => json({ note: base64(`before ${value} after`) }))],
  ['known, in base64url', answered((value) => Buffer.from(`ab${value}`).toString('base64url'))],
  ['known, in hex in a query', sent((value) => ({ query: `&note=${Buffer.from(value).toString('hex')}` }))],
  [
    'known, encoded twice in a query',
    sent((value) => ({ query: `&note=${encodeURIComponent(encodeURIComponent(value))}` })),
  ],
  [
    'known, in JSON in JSON in JSON',
    sent((value) => ({ body: json({ a: json({ b: json({ note: value }) }) }) })),
  ],
  [
    'known, in Basic credentials',
    sent((value) => ({ headers: { authorization: `Basic ${base64(`ada:${value}`)}` } })),
  ],
  ['known, in a JSON web token', answered((value) => json({ note: jwt({ note: value }) }))],
  ['known, in a multipart body', sent((value) => multipart('note', value)), plain()],
  ['known, in a compressed body', sent((value) => ({ body: gzipSync(json({ note: value })) }))],
  ['known, in HTML', answered((value) => `<p>${form('as decimal references')(value)}</p>`)],
  ['known, as a list of bytes', answered((value) => json([...Buffer.from(value)]))],
  ['known, in upper case', answered((value) => value.toUpperCase()), plain()],
  ['known, in hex with colons', answered((value) => form('in hex with colons')(value))],
  ['known, in \\u escapes', sent((value) => ({ body: `{"note":"${form('as \\uXXXX')(value)}"}` }))],
  ['known, in a path', sent((value) => ({ path: `/hooks/${encodeURIComponent(value)}` }))],
  [
    'known, in a link header',
    answered(
      () => 'fine',
      (value) => ({ link: `<https://a.example/${encodeURIComponent(value)}>; rel=next` }),
    ),
  ],
  [
    'known, in an ETag in base64',
    answered(
      () => 'fine',
      (value) => ({ etag: `"${base64(value)}"` }),
    ),
  ],
];

/** Secrets that only their name reveals. */
const named: [what: string, send: Send, value?: string][] = [
  ['in a query', sent((value) => ({ query: `&token=${encodeURIComponent(value)}` }))],
  ['a code in a query', sent((value) => ({ query: `&code=${encodeURIComponent(value)}` }))],
  ['in the header X-Api-Key', sent((value) => ({ headers: { 'x-api-key': value } })), plain()],
  [
    'in the header Authorization',
    sent((value) => ({ headers: { authorization: `Bearer ${value}` } })),
    plain(),
  ],
  [
    'in Basic credentials and in a text',
    sent((value) => ({
      headers: { authorization: `Basic ${base64(`ada:${value}`)}` },
      body: `I use ${value} here.`,
    })),
  ],
  ['in a cookie', sent((value) => ({ headers: { cookie: `id=${value}` } })), plain()],
  ['a password in a JSON body', sent((value) => ({ body: json({ user: { login: { password: value } } }) }))],
  [
    'in JSON in JSON',
    sent((value) => ({ body: json({ message: json({ inner: json({ refreshToken: value }) }) }) })),
  ],
  [
    'in JSON in base64, like Pub/Sub',
    sent((value) => ({ body: json({ message: { data: base64(json({ api_key: value })) } }) })),
  ],
  [
    'in a form',
    sent((value) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_secret: value }).toString(),
    })),
  ],
  [
    'in JSON in a form, like Slack',
    sent((value) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payload: json({ token: value }) }).toString(),
    })),
  ],
  ['in a multipart body', sent((value) => multipart('password', value)), plain()],
  ['in a list of tokens', answered((value) => json({ recovery_tokens: [value] }))],
  ['in a pair of name and value', answered((value) => json({ fields: [{ name: 'api_key', value }] }))],
  ['in a value below its name', answered((value) => json({ secret: { value } }))],
  [
    'in XML',
    answered((value) => `<?xml version="1.0"?><Login><Password>${value}</Password></Login>`),
    plain(),
  ],
  [
    'in a hidden input',
    answered((value) => `<form><input type="hidden" name="csrf_token" value="${value}"></form>`),
    plain(),
  ],
  [
    'in the fragment of a location',
    answered(
      () => 'fine',
      (value) => ({ location: `/done#access_token=${value}&token_type=bearer` }),
    ),
    plain(),
  ],
  [
    'in a link header',
    answered(
      () => 'fine',
      (value) => ({ link: `<https://a.example/?page=2&access_token=${value}>; rel="next"` }),
    ),
    plain(),
  ],
  [
    'in server-sent events',
    answered((value) => `event: a\ndata: ${json({ session_token: value })}\n\ndata: [DONE]\n\n`),
  ],
  ['in lines of JSON', answered((value) => `{"id":1}\n${json({ id: 2, password: value })}\n`)],
  ['in a .env file', answered((value) => `# Settings\nDEBUG=1\nDB_PASSWORD=${value}\n`), plain()],
  [
    'in a database URL',
    answered((value) => `connect to postgres://app:${value}@db.example:5432/app`),
    plain(),
  ],
  [
    'in a link in Markdown',
    answered((value) => `See [this](https://a.example/x?signature=a1&token=${value}).`),
    plain(),
  ],
];

/** Secrets that only their form reveals: typed by users anywhere. */
const shaped: [what: string, send: Send, value?: string][] = [
  ['a JSON web token in a note', sent((value) => ({ body: json({ note: jwt({ sub: value }) }) }))],
  [
    'a GitHub token in a comment',
    sent((value) => ({ body: json({ comment: `my ghp_${value}000000000000000 does not work` }) })),
    plain(),
  ],
  ['a Slack token in a list', answered((value) => json({ notes: [`xoxb-${value}`] })), plain()],
  [
    'a private key',
    answered((value) =>
      json({ file: `-----BEGIN PRIVATE KEY-----\n${base64(value)}\n-----END PRIVATE KEY-----\n` }),
    ),
  ],
  ['a Bearer token in a log', answered((value) => `> Authorization: Bearer ${value}\n< 401`), plain()],
  [
    'a webhook address of Slack',
    answered((value) => json({ url: `https://hooks.slack.com/services/T00/B00/${value}` })),
    plain(),
  ],
];

/** What stays in a recording, as SECURITY.md says. */
const open: [what: string, send: Send, value?: string][] = [
  [
    'known, compressed in base64',
    kept(sent((value) => ({ body: json({ packed: gzipSync(value).toString('base64') }) }))),
  ],
  ['known, in base64 twice', kept(sent((value) => ({ body: json({ twice: base64(base64(value)) }) })))],
  [
    'known, split over two headers',
    (value) => ({
      parts: [value.slice(0, 8), value.slice(8)],
      kept: true,
      request: () => ({ headers: { 'x-event-type': value.slice(0, 8), 'x-action': value.slice(8) } }),
    }),
    plain(),
  ],
  ['typed into a comment', kept(sent((value) => ({ body: json({ comment: `it is ${value}, thanks` }) })))],
];

const toCanary = ([what, send, value = next()]: [string, Send, string?]): Canary => ({
  what,
  value,
  ...send(value),
});

export const canaries: Canary[] = [...declared, ...named, ...shaped, ...open].map(toCanary);

/** The secrets of the manifest. */
export const known = canaries
  .filter(({ what }) => what.startsWith('known'))
  .map(({ value }, at) => ({ name: `KNOWN_${at}`, value }));

/** What a user types into the configuration. */
export const configured: (Canary & { property: string })[] = [
  { what: 'typed as a token', property: 'api_token', value: plain() },
  { what: 'typed as a license key', property: 'license_key', value: plain() },
  {
    what: 'typed as a webhook address',
    property: 'channel',
    value: `https://discord.com/api/webhooks/123/${plain()}xxxxxxxx`,
  },
  { what: 'typed as a note', property: 'note', value: `${plain()}${plain()}`, kept: true },
];

/** What a user types into a block. */
export const rendered: (Canary & { state: object; action?: object })[] = [
  ((value) => ({ what: 'in the state of a block', value, state: { pin_code: value } }))(plain()),
  ((value) => ({ what: 'in an action', value, state: {}, action: { action: 'save', password: value } }))(
    plain(),
  ),
];
