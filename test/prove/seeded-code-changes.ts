/** A change of one file: the first text is replaced by the second, whose first line is where it happens. */
export interface CodeChange {
  what: string;
  edits: [file: string, from: string, to: string][];
}

const inFile =
  (file: string) =>
  (what: string, from: string, to: string): CodeChange => ({ what, edits: [[file, from, to]] });
const index = inFile('src/index.tsx');
const api = inFile('src/api.ts');
const format = inFile('src/format.ts');

/** Changes of what the script does. */
export const breaking: CodeChange[] = [
  index('another status', 'status: 201', 'status: 200'),
  index('another location', "location: '/tickets/' +", "location: '/ticket/' +"),
  index('another message', 'The title is missing.', 'A title is required.'),
  index('another error status', "missing.' }, { status: 400", "missing.' }, { status: 422"),
  index('a removed route', "case 'GET /login'", "case 'GET /signin'"),
  index(
    'a missing await',
    'const { ticket } = JSON.parse(body)',
    'const { ticket } = JSON.parse(request.text())',
  ),
  index('another filter', 'ticket.state === state', 'ticket.state !== state'),
  index('another order', 'b.priority - a.priority', 'a.priority - b.priority'),
  api('another page size', 'pageSize = 50', 'pageSize = 20'),
  index('another header', "request.headers.get('x-signature')", "request.headers.get('x-hub-signature')"),
  index('another lifetime', 'max-age=60', 'max-age=600'),
  format('another separator', "map(quote).join(',')", "map(quote).join(';')"),
  index('another file name', 'filename="tickets.csv"', 'filename="export.csv"'),
  api('a renamed field', "{ text, icon: 'ticket' }", "{ text, image: 'ticket' }"),
  api('another method', "send('PATCH'", "send('PUT'"),
  api('another path', "'/tickets/' + encodeURIComponent", "'/issues/' + encodeURIComponent"),
  index('another notification', "'Reopened: '", "'Opened again: '"),
  index('a removed request', "      await updateTicket('T-9', { comment: text });\n", ''),
  index(
    'one request too many',
    "await updateTicket('T-1', { state: 'closed' });",
    "await updateTicket('T-1', { state: 'closed' }); await notify('support', 'closed');",
  ),
  index('a missing null check', 'ticket.assignee?.name', 'ticket.assignee!.name'),
  index('another label', 'Close the ticket', 'Mark as done'),
  index('a removed element', '{element.state.open && <button', '{!element.state.open && <button'),
  index('another increment', 'votes + 1', 'votes + 2'),
  format('another date', 'date.getUTCMonth() + 1', 'date.getUTCMonth()'),
  format('another rounding', 'Math.round((part / all) * 100)', 'Math.round((part / all) * 10)'),
  format('another plural', 'count === 1', 'count <= 1'),
  index('another language', "language === 'de'", "language !== 'de'"),
  api('no retry', 'attempt === 3', 'attempt === 1'),
  index('another scope', "'read write'", "'read'"),
  index('another threshold', 'ticket.priority > 2', 'ticket.priority >= 2'),
];

/** Changes that nobody outside the script can see. */
export const harmless: CodeChange[] = [
  index(
    'a renamed variable',
    'const total = tickets.length;\n  return Response.json({ text: plural(total,',
    'const sum = tickets.length; const total = sum;\n  return Response.json({ text: plural(sum,',
  ),
  index(
    'a renamed function',
    'const summary = (ticket: Ticket)',
    'const summary = (entry: Ticket) => describe(entry);\nconst describe = (ticket: Ticket)',
  ),
  api(
    'a renamed parameter',
    'createTicket(values: { title: string; labels: string[]; source: string })',
    'createTicket({ ...values }: { title: string; labels: string[]; source: string })',
  ),
  api('an extracted helper', "'/tickets/' + encodeURIComponent(id)", 'pathOf(id)'),
  format('an inlined constant', 'const date = new Date(iso);', 'const [date] = [new Date(iso)];'),
  index(
    'a log line',
    'async function create(request: Request): Promise<Response> {',
    "async function create(request: Request): Promise<Response> {\n  console.log('creates a ticket', request.url);",
  ),
  index('another log text', "console.log('done', task.type)", "console.info('The task is finished.', task)"),
  index('no log', "    console.log('done', task.type);\n", ''),
  index(
    'a comment',
    'export default createIntegration({',
    '// The entry of the script.\nexport default createIntegration({',
  ),
  format(
    'a documentation comment',
    'export const percent',
    '/** Rounds to whole numbers. */\nexport const percent',
  ),
  api(
    'reordered request headers',
    "headers: { 'content-type': 'application/json' }",
    "headers: new Headers([['accept', '*/*'], ['content-type', 'application/json']])",
  ),
  api(
    'one more request header',
    "'content-type': 'application/json' }",
    "'content-type': 'application/json', 'user-agent': 'tickets/2' }",
  ),
  index(
    'reordered response headers',
    "{ 'content-type': 'text/csv', 'content-disposition': 'attachment; filename=\"tickets.csv\"' }",
    "{ 'content-disposition': 'attachment; filename=\"tickets.csv\"', 'content-type': 'text/csv' }",
  ),
  api('reordered fields of a body', "{ text, icon: 'ticket' }", "{ icon: 'ticket', text }"),
  index(
    'reordered fields of a response',
    'id: ticket.id,\n  title: ticket.title.trim(),',
    'title: ticket.title.trim(),\n  id: ticket.id,',
  ),
  api(
    'promises instead of await',
    "  const response = await request('/tickets?' + query);\n  const { tickets } = (await response.json()) as { tickets: Ticket[] };\n  return tickets;",
    "  return request('/tickets?' + query)\n    .then((response) => response.json() as Promise<{ tickets: Ticket[] }>)\n    .then(({ tickets }) => tickets);",
  ),
  api(
    'await instead of promises',
    'await new Promise((resolve) => setTimeout(resolve, 200 * attempt));',
    'const pause = new Promise<void>((resolve) => void setTimeout(resolve, 200 * attempt));\n    await pause;',
  ),
  index(
    'a try block',
    'const tickets = await listTickets(page);\n      for',
    'let tickets: Ticket[] = [];\n      try { tickets = await listTickets(page); } finally { void 0; }\n      for',
  ),
  index(
    'an if instead of a conditional',
    "const text = language === 'de' ? 'Die Seite wurde geändert' : 'The page was changed';",
    "let text = 'The page was changed';\n      if (language === 'de') text = 'Die Seite wurde geändert';",
  ),
  index('a template literal', "text + ' (' + event.revisionId + ')'", '`${text} (${event.revisionId})`'),
  format(
    'a loop instead of map',
    "const rows = tickets.map(({ id, title, state }) => [id, title.trim(), state].map(quote).join(','));",
    "const rows: string[] = [];\n  for (const { id, title, state } of tickets) rows.push([id, title.trim(), state].map(quote).join(','));",
  ),
  api(
    'another way to write a query',
    'new URLSearchParams({ page: String(page), limit: String(pageSize) })',
    "new URLSearchParams([['page', `${page}`], ['limit', `${pageSize}`]])",
  ),
  api('a URL object', 'await fetch(base + path, {', 'await fetch(new URL(path, base), {'),
  api(
    'a request object',
    "await fetch('https://chat.example/hooks/' + channel, {",
    "await fetch(new Request('https://chat.example/hooks/' + channel), {",
  ),
  api('another time limit', '5000) });\n    if', '9000) });\n    if'),
  index(
    'one more route',
    '      default:',
    "      case 'GET /health':\n        return new Response('fine');\n      default:",
  ),
  index(
    'an unused import of a type',
    'import { isSigned }',
    "import type { Environment } from 'integration-platform';\nimport { isSigned }",
  ),
  index('an additional check', 'if (!title) return', 'if (!title || title.length > 1000) return'),
  index(
    'work that has no effect',
    'const url = new URL(request.url);',
    'const url = new URL(request.url);\n    await Promise.resolve(Math.random() + Date.now());',
  ),
  {
    what: 'a function that moved to another file',
    edits: [
      [
        'src/format.ts',
        "export const percent = (part: number, all: number): string => Math.round((part / all) * 100) + ' %';\n",
        "export { percent } from './percent';\n",
      ],
      [
        'src/percent.ts',
        '',
        "export const percent = (part: number, all: number): string => Math.round((part / all) * 100) + ' %';\n",
      ],
    ],
  },
];
const extracted = harmless.find(({ what }) => what === 'an extracted helper');
extracted?.edits.push([
  'src/api.ts',
  'const pageSize',
  "const pathOf = (id: string): string => '/tickets/' + encodeURIComponent(id);\nconst pageSize",
]);
