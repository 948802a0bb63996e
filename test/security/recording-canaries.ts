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
  (value) => ({ request: () => init(value) });
const answered =
  (body: (value: string) => string, headers?: (value: string) => HeadersInit): Send =>
  (value) => ({ answer: () => new Response(body(value), headers ? { headers: headers(value) } : undefined) });
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
  ['known, in JSON thrice', sent((value) => ({ body: json({ a: json({ b: json({ note: value }) }) }) }))],
  ['known, in Basic', sent((value) => ({ headers: { authorization: `Basic ${base64(`ada:${value}`)}` } }))],
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
  ['in Authorization', sent((value) => ({ headers: { authorization: `Bearer ${value}` } })), plain()],
  [
    'in Basic credentials and in a text',
    sent((value) => ({
      headers: { authorization: `Basic ${base64(`ada:${value}`)}` },
      body: `I use ${value} here.`,
    })),
  ],
  ['in a cookie', sent((value) => ({ headers: { cookie: `id=${value}` } })), plain()],
  ['a password in a JSON body', sent((value) => ({ body: json({ user: { login: { password: value } } }) }))],
  ['in JSON', sent((value) => ({ body: json({ message: json({ inner: json({ refreshToken: value }) }) }) }))],
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
  ['XML', answered((value) => `<?xml version="1.0"?><Login><Password>${value}</Password></Login>`), plain()],
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
  ['in events', answered((value) => `event: a\ndata: ${json({ session_token: value })}\n\ndata: [DONE]\n\n`)],
  ['in lines of JSON', answered((value) => `{"id":1}\n${json({ id: 2, password: value })}\n`)],
  ['in a .env file', answered((value) => `# Settings\nDEBUG=1\nDB_PASSWORD=${value}\n`), plain()],
  ['in a database', answered((value) => `connect to postgres://app:${value}@db.example:5432/app`), plain()],
  ['in a link', answered((value) => `See [this](https://a.example/x?signature=a1&token=${value}).`), plain()],
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

/** The bodies of other services' responses, with a secret in each of the formats that `record` searches. */
const bodies: [what: string, body: (value: string) => string][] = [
  ['XML with a namespace', (value) => `<s:Password Type="x">${value}</s:Password>`],
  ['XML with CDATA and attributes', (value) => `<token kind="a"><![CDATA[${value}]]></token>`],
  ['an XML element in an element', (value) => `<clientSecret>\n  <value>${value}</value>\n</clientSecret>`],
  ['an XML attribute', (value) => `<add name="x" password='${value}'/>`],
  ['an XML setting', (value) => `<add key="ApiKey" value="${value}" />`],
  ['SAML', (value) => `<saml:Assertion ID="a">${value}</saml:Assertion>`],
  ['an input with the value first', (value) => `<input value="${value}" type=hidden name="csrf_token">`],
  ['an input without quotes', (value) => `<input name=password value=${value}>`],
  ['a meta element', (value) => `<meta content="${value}" name="csrf-token">`],
  ['a data attribute', (value) => `<div data-api-key="${value}"></div>`],
  [
    'a multipart part with a type',
    (value) =>
      `--b\r\nContent-Disposition: form-data; name="token"; filename="t.txt"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n--b--`,
  ],
  [
    'a multipart part without quotes',
    (value) => `--b\r\nContent-Disposition: form-data; name=api_key\r\n\r\n${value}\r\n--b--`,
  ],
  [
    'a multipart part of many lines (kept)',
    (value) => `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nfirst\r\n${value}\r\n--b--`,
  ],
  ['a capitalized pair', (value) => json({ Name: 'password', Value: value })],
  ['a typed pair', (value) => json([{ name: 'token', stringValue: value }])],
  ['a pair of id and text (kept)', (value) => json([{ id: 'api_key', text: value }])],
  ['a typed value', (value) => json({ secret: { type: 'string', value } })],
  ['a DynamoDB value', (value) => json({ session_token: { S: value } })],
  ['header pairs', (value) => json([['x-api-key', value]])],
  ['flat headers', (value) => json(['authorization', `Bearer ${value}`])],
  ['headers of X-Auth', (value) => json({ headers: { 'X-Auth': value } })],
  ['headers in text', (value) => `GET / HTTP/1.1\r\nX-Auth-Token: ${value}\r\n\r\n`],
  ['an export', (value) => `export GITHUB_TOKEN=${value}\n`],
  ['a quoted variable', (value) => `API_SECRET="${value}"\n`],
  ['a variable of many lines', (value) => `PRIVATE_KEY="first\n${value}\nlast"\n`],
  ['a variable of Windows', (value) => `set DB_PASSWORD=${value}\r\n`],
  ['an ini file', (value) => `[db]\npassword = ${value}\n`],
  ['a properties file', (value) => `spring.datasource.password=${value}\n`],
  ['a TOML file', (value) => `[a]\nclient_secret = "${value}"\n`],
  ['a netrc file (kept)', (value) => `machine a.example login ada password ${value}\n`],
  ['a YAML value', (value) => `db:\n  password: ${value}\n`],
  ['a YAML list', (value) => `steps:\n  - token: '${value}'\n`],
  ['a list below a YAML name (kept)', (value) => `tokens:\n  - ${value}\n`],
  ['a YAML block', (value) => `secret: |\n  ${value}\n`],
  ['the third line of a YAML block', (value) => `a:\n  private_key: |\n    one\n    two\n    ${value}\n`],
  ['a folded YAML block', (value) => `- password: >-\n    one\n    ${value}\n`],
  ['a flow mapping in YAML', (value) => `db: { user: ada, password: ${value} }\n`],
  [
    'base64 with line breaks',
    (value) => base64(json({ padding: 'x'.repeat(60), token: value })).replace(/.{76}/, '$&\r\n'),
  ],
  ['base64 without padding', (value) => Buffer.from(json({ token: value, a: '??>>' })).toString('base64url')],
  ['a data URL', (value) => `<img src="data:application/json;base64,${base64(json({ token: value }))}">`],
  ['a data URL in JSON', (value) => json({ file: `data:text/plain;base64,${base64(`password=${value}`)}` })],
  ['Docker credentials', (value) => json({ auths: { 'r.example': { auth: base64(`ada:${value}`) } } })],
  ['Docker tokens', (value) => json({ auths: { 'r.example': { identitytoken: value } } })],
  ['an npm file', (value) => `//registry.example/:_authToken=${value}\n`],
  ['a token in a URL', (value) => `git clone https://${value}@git.example/a.git`],
  ['a password in a URL', (value) => `https://ada:${value}@git.example/a.git`],
  ['a device code', (value) => json({ device_code: value })],
  ['a user code', (value) => json({ user_code: value })],
  ['a code verifier', (value) => `grant_type=a&code_verifier=${value}`],
  ['a client assertion', (value) => `client_assertion=${value}&a=b`],
  ['a sig in a URL', (value) => `https://a.example/x?se=2030&sig=${value}`],
  ['an hmac in a URL', (value) => `https://a.example/x?hmac=${value}&shop=a`],
  ['a sid', (value) => json({ sid: value })],
  ['a ticket', (value) => json({ ticket: value })],
  ['a signed URL', (value) => `https://a.example/x?X-Amz-Signature=${value}`],
  ['a connection string', (value) => `Server=a;User Id=ada;Password=${value};`],
  ['an account key', (value) => `AccountName=a;AccountKey=${value};`],
  ['a JavaScript object', (value) => `window.config = { apiKey: '${value}' };`],
  ['JSON in a script', (value) => `<script type="application/json">${json({ csrfToken: value })}</script>`],
  ['a GraphQL argument', (value) => json({ query: `mutation { login(password: "${value}") { id } }` })],
  ['a command', (value) => `curl -H 'X-Api-Key: ${value}' https://a.example`],
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

const toCanary = ([what, send, value = next()]: [string, Send, string?]) => ({ what, value, ...send(value) });

export const canaries: Canary[] = [
  ...[...declared, ...named, ...shaped, ...open].map(toCanary),
  ...bodies.map(([what, body]) =>
    toCanary([what, what.endsWith('(kept)') ? kept(answered(body)) : answered(body), plain()]),
  ),
];

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
