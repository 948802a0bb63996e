import type { Integration } from '../../protocol/integration.js';
import { parseMarkdown } from '../../console/text/markdown/markdown.js';
import type { PageNode, SiteContent, SitePage } from '../site-content.js';

/** Three pages about the site itself. The first one has the integration's blocks. */
export function createSamplePages(integration: () => Integration): SiteContent {
  return {
    pages: () => pages,
    read(id) {
      const text = textOf(id, integration());
      return text === undefined ? undefined : { text, nodes: parsePage(text) };
    },
  };
}

const pages: SitePage[] = [
  {
    id: 'start',
    path: '',
    title: 'Start',
    description: 'Your integration where its readers meet it.',
    pages: [],
  },
  {
    id: 'events',
    path: 'events',
    title: 'What readers cause',
    description: 'Each event, and what to do on this site to see it.',
    pages: [],
  },
  {
    id: 'writing',
    path: 'writing',
    title: 'Writing pages',
    description: 'What a page may contain.',
    pages: [],
  },
];

function textOf(id: string, { name, title, blocks }: Integration): string | undefined {
  if (id === 'start') return start(title, blocks.map((block) => blockText(name, block)).join('\n'));
  if (id === 'events') return events;
  return id === 'writing' ? writing(`${name}/${blocks[0]?.id ?? 'block'}`) : undefined;
}

const blockText = (integration: string, { id, title, description }: Integration['blocks'][number]): string =>
  `## ${title}\n\n${description ?? ''}\n\n{% @${integration}/${id} %}\n`;

const start = (title: string, blocks: string): string => `# Start

This is the documentation site of your local platform, with **${title}** installed. Readers see pages like this one. Everything they do here reaches your script: each page view, each rating, each button.

${blocks || 'The manifest declares no blocks yet. Add one with `platform add block`, and it appears here.\n'}
## Next

- [What readers cause](events): each event, and how to cause it here
- [Writing pages](writing): what a page may contain
`;

const events = `# What readers cause

| Do this | Event |
| --- | --- |
| Open a page | \`space_view\`, and \`site_view\` where the space is in a site |
| Rate a page at its end | \`page_feedback\` |
| See a block, press a button, submit a form | \`ui_render\` |

The calls appear in the console, and events that webhooks carry are delivered to your endpoints.

## Without a browser

A request with \`curl\` shows the text of a page and the first markup of its blocks. It causes no view, because nobody reads it.

\`\`\`sh
curl -s "$SITE"
\`\`\`

> Views and ratings are sent by the page itself, once per navigation.
`;

const writing = (block: string): string => `# Writing pages

## Text

Pages are Markdown: **bold**, _italic_, \`code\`, ~~deleted~~ and [links](https://example.com).

1. Lists with numbers
2. Lists without
   - inside each other

---

## Code

\`\`\`ts
export default createIntegration({
  components: [counter],
  events: { page_feedback: async (event) => console.log(event.feedback.rating) },
});
\`\`\`

## Blocks

A block is a tag on a line of its own. Its values are JSON:

\`\`\`
{% @${block} start=3 %}
\`\`\`

## Links

{% embed url="https://example.com/" %}
`;

const tag = /^\{% +(@[\w.-]+\/[\w.-]+|embed)((?: +\w+=(?:"[^"]*"|[^\s"]+))*) *\/?%\}$/;

function parsePage(text: string): PageNode[] {
  const nodes: PageNode[] = [];
  let lines: string[] = [];
  let fenced = false;
  const flush = (): void => {
    nodes.push(...parseMarkdown(lines.join('\n')));
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const [, name, values = ''] = (!fenced && tag.exec(line)) || [];
    if (name === undefined) lines.push(line);
    else {
      flush();
      nodes.push({ kind: 'tag', name: name.replace('@', ''), values: readValues(values) });
    }
  }
  flush();
  return nodes;
}

const readValues = (text: string): Record<string, unknown> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=("[^"]*"|[^\s"]+)/g)].map(([, key = '', value = '']) => [
      key,
      JSON.parse(value) as unknown,
    ]),
  );
