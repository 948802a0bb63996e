/** A new version with replacements in the manifest or the script. */
export interface SeededChange {
  what: string;
  manifest?: [from: string, to: string];
  script?: [from: string, to: string];
}

export function apply(text: string, change: [string, string] | undefined): string {
  if (!change) return text;
  const changed = text.replace(change[0], () => change[1]);
  if (changed === text) throw new Error(`The text has no ${change[0]}`);
  return changed;
}

const inManifest = (what: string, from: string, to: string): SeededChange => ({ what, manifest: [from, to] });
const inScript = (what: string, from: string, to: string): SeededChange => ({ what, script: [from, to] });

/** Changes whose manifest already shows that they break installations. */
export const visiblyBreaking: SeededChange[] = [
  inManifest('a different name', 'name: sample\n', 'name: other\n'),
  inManifest('a narrower visibility', 'visibility: public', 'visibility: unlisted'),
  inManifest('a narrower target', 'target: all', 'target: space'),
  inManifest('a new scope', '  - space:content:read\n', '  - space:content:read\n  - space:metadata:read\n'),
  inManifest('a removed secret', '  OTHER_KEY: ${{ env.OTHER_KEY }}\n', ''),
  inManifest('a renamed secret', '  API_KEY:', '  TICKETS_KEY:'),
  inManifest('a removed block', '  - id: list\n    title: List\n    description: Many tickets.\n', ''),
  inManifest('a renamed block', 'id: list', 'id: tickets'),
  inManifest('a removed link pattern', '      - https://old.tickets.example/*\n', ''),
  inManifest('a narrower link pattern', 'https://tickets.example/*', 'https://tickets.example/t/*'),
  inManifest('a different code block', 'codeblock: ticket', 'codeblock: tickets'),
  inManifest('a different code block body', 'body: source', 'body: text'),
  inManifest('removed Markdown support', '    markdown:\n      codeblock: ticket\n      body: source\n', ''),
  inManifest('a removed content source', 'contentSources:\n  - id: docs\n    title: Docs\n', ''),
  inManifest('a removed property', '      place: { type: string, title: Place }\n', ''),
  inManifest(
    'a different type',
    'place: { type: string, title: Place }',
    'place: { type: number, title: Place }',
  ),
  inManifest('a narrower enum', 'enum: [km, mile]', 'enum: [km]'),
  inManifest('a removed default', ', default: Hello', ''),
  inManifest('a newly required property', 'required: [unit]', 'required: [unit, connect]'),
  inManifest('a different button endpoint', 'callback_url: /oauth', 'callback_url: /connect'),
];

/** Changes that break something only when the script runs. */
export const invisiblyBreaking: SeededChange[] = [
  inScript(
    'a removed handler',
    "event.type === 'space_content_updated'",
    "event.type === 'space_content_changed'",
  ),
  inScript('a removed endpoint', "pathname === '/units'", "pathname === '/unit'"),
  inScript('a renamed OAuth endpoint', "pathname === '/oauth'", "pathname === '/connect'"),
  inScript(
    'a field that responses do not have',
    'ticket.title.toUpperCase()',
    'ticket.fields.title.toUpperCase()',
  ),
  inScript('a field that events do not have', 'event.author.name', 'event.user.name'),
  inScript('a property that was never stored', 'configuration.greeting + ', 'configuration.prefix.text + '),
  inScript('a parameter that requests do not have', "searchParams.get('q')", "searchParams.get('query')"),
  inScript('a different host', 'https://api.tickets.example', 'https://api2.tickets.example'),
  inScript('a different path', "'/comments'", "'/notes'"),
  inScript('a different method', "method: 'POST'", "method: 'PUT'"),
  inScript('a changed body', '{ text, page: event.pageId }', '{ message: text, page: event.pageId }'),
  inScript('a missing await', 'await (response.json())', 'response.json()'),
  inScript(
    'a thrown error instead of a message',
    "return { type: 'element', element: { type: 'text', text: 'Not found' } };",
    "throw new Error('not found');",
  ),
  inScript('a different status', 'status: 201', 'status: 409'),
  inScript('a different response body', "'noted'", "'seen'"),
  inScript(
    'a rejected promise',
    '.then((response) => response.text())',
    '.then((response) => response.json())',
  ),
  inScript(
    'a request that is no longer sent',
    "context.waitUntil(fetch(api + '/views'",
    "context.waitUntil(Promise.resolve(new Response('')) || fetch(api + '/views'",
  ),
  inScript('a different redirect', 'https://tickets.example/authorize', 'https://tickets.example/login'),
  inScript(
    'a response that never comes',
    'return Response.json([configuration.unit',
    'await new Promise(() => {}); return Response.json([configuration.unit',
  ),
  inScript('a secret that is not declared', 'secrets.API_KEY', 'secrets.TICKETS.key'),
];

/** Changes that break nothing. */
export const harmless: SeededChange[] = [
  inManifest('a different title', 'title: Sample', 'title: Samples'),
  inManifest('a different description', 'Shows tickets.', 'Shows all tickets.'),
  inManifest('a different organization', 'organization: acme', 'organization: acme-docs'),
  inManifest('a different title of a content source', 'title: Docs', 'title: Documents'),
  inManifest('an additional secret', '  OTHER_KEY:', '  THIRD_KEY: ${{ env.THIRD_KEY }}\n  OTHER_KEY:'),
  inManifest('a different variable for a secret', 'env.API_KEY', 'env.TICKETS_API_KEY'),
  inManifest(
    'an additional block',
    'contentSources:',
    '  - id: board\n    title: Board\n    description: A board.\ncontentSources:',
  ),
  inManifest('a different block title', 'title: List', 'title: Tickets'),
  inManifest(
    'an additional link pattern',
    '      - https://old.',
    '      - https://new.tickets.example/*\n      - https://old.',
  ),
  inManifest(
    'reordered link patterns',
    '      - https://tickets.example/*\n      - https://old.tickets.example/*',
    '      - https://old.tickets.example/*\n      - https://tickets.example/*',
  ),
  inManifest(
    'Markdown for another block',
    'description: Many tickets.',
    'description: Many tickets.\n    markdown: { codeblock: tickets, body: source }',
  ),
  inManifest(
    'an additional content source',
    '  - id: docs\n',
    '  - id: wiki\n    title: Wiki\n  - id: docs\n',
  ),
  inManifest('a different content source title', 'title: Docs', 'title: Documents'),
  inManifest(
    'an optional property',
    '      place:',
    '      language: { type: string, title: Language }\n      place:',
  ),
  inManifest(
    'a property with a default',
    '      place:',
    '      language: { type: string, title: Language, default: en }\n      place:',
  ),
  inManifest('a wider enum', 'enum: [km, mile]', 'enum: [km, mile, foot]'),
  inManifest('a reordered enum', 'enum: [km, mile]', 'enum: [mile, km]'),
  inManifest('a property that is no longer required', 'required: [unit]', 'required: []'),
  inManifest('an added default', 'title: Place }', 'title: Place, default: Oslo }'),
  inManifest('a different property title', 'title: Greeting', 'title: Salutation'),
  inManifest('a different button text', 'button_text: Connect', 'button_text: Link'),
  inManifest(
    'an external link',
    'blocks:\n',
    'externalLinks:\n  - label: Docs\n    url: https://tickets.example/docs\nblocks:\n',
  ),
  inManifest('an added comment', 'secrets:\n', '# What the service needs.\nsecrets:\n'),
  inManifest('an added x- key', 'target: all', 'target: all\nx-note: yes'),
  inScript('an added comment', 'async function render', '// Renders.\nasync function render'),
  inScript('an added unused variable', 'async function comment', 'const unused = 1;\nasync function comment'),
  inScript(
    'an added log line',
    'const { url } = event.props;',
    "const { url } = event.props;\n  console.log('rendering');",
  ),
  inScript(
    'an error that is logged and handled',
    'const ticket = await',
    "console.error('careful');\n  const ticket = await",
  ),
  inScript(
    'an additional header',
    'headers: { authorization: secrets.API_KEY }',
    "headers: { authorization: secrets.API_KEY, accept: 'application/json' }",
  ),
  inScript(
    'a time limit',
    'headers: { authorization: secrets.API_KEY }',
    'signal: AbortSignal.timeout(5000), headers: { authorization: secrets.API_KEY }',
  ),
  inScript('reordered keys in a body', '{ text, page: event.pageId }', '{ page: event.pageId, text }'),
  inScript('another way to build a URL', "api + '/comments'", 'new URL(api + "/comments")'),
  inScript(
    'a Request object instead of a URL',
    "fetch(api + '/comments', {",
    "fetch(new Request(api + '/comments'), {",
  ),
  inScript(
    'an additional endpoint',
    "  if (pathname === '/oauth')",
    "  if (pathname === '/health') return new Response('ok');\n  if (pathname === '/oauth')",
  ),
  inScript(
    'an additional handler',
    "      if (event.type === 'space_view')",
    "      if (event.type === 'task') return new Response('done');\n      if (event.type === 'space_view')",
  ),
  inScript(
    'a short pause',
    'return Response.json([configuration.unit',
    'return Response.json(await new Promise((resolve) => setTimeout(resolve, 50)) ?? [configuration.unit',
  ),
  inScript(
    'an async helper',
    "return new Response('commented'",
    "await Promise.resolve();\n  return new Response('commented'",
  ),
  inScript('random numbers that are never shown', 'const id = url', 'Math.random();\n  const id = url'),
  inScript('a timestamp that is never shown', 'const id = url', 'Date.now();\n  const id = url'),
  inScript(
    'an inner error that is caught',
    'const id = url',
    "try { JSON.parse('{'); } catch {}\n  const id = url",
  ),
];
