interface ShownIntegration {
  name: string;
  title: string;
  blocks: readonly { id: string; title: string; description?: string }[];
}

/** Renders three pages about the site itself, keyed by file. The first page contains the integration's blocks. */
export const renderSamplePages = ({ name, title, blocks }: ShownIntegration): Record<string, string> => ({
  'README.md': start(title, blocks.map((block) => blockText(name, block)).join('\n')),
  'events.md': events,
  'writing.md': writing(`${name}/${blocks[0]?.id ?? 'block'}`),
});

const blockText = (
  integration: string,
  { id, title, description }: ShownIntegration['blocks'][number],
): string => `## ${title}\n\n${description ?? ''}\n\n{% @${integration}/${id} %}\n`;

const start = (title: string, blocks: string): string => `---
description: Your integration as readers see it.
---

# Start

This is the documentation site of your local platform, with **${title}** installed. Readers see pages like this one. Everything they do here reaches your script: each page view, each rating, each button.

${blocks || 'The manifest declares no blocks yet. Add one with `platform add block`, and put its tag into a page.\n'}
## Next

- [What readers cause](events.md): each event, and how to cause it here
- [Writing pages](writing.md): what a page may contain
`;

const events = `---
description: Each event, and what to do on this site to see it.
order: 1
---

# What readers cause

| Do this | Event |
| --- | --- |
| Open a page | \`space_view\`, and \`site_view\` where the space is in a site |
| Rate a page at its end | \`page_feedback\` |
| See a block, press a button, submit a form | \`ui_render\` |
| Save, add, move or delete a page | \`space_content_updated\` |
| Commit the folder of the pages | \`space_gitsync_started\`, \`space_gitsync_completed\` |

The calls appear in the console, and events that webhooks carry are delivered to your endpoints.

## Without a browser

A request with \`curl\` shows the text of a page and the first markup of its blocks. It causes no view, because nobody reads it.

\`\`\`sh
curl -s "$SITE"
\`\`\`

> Views and ratings are sent by the page itself, once per navigation.
`;

const writing = (block: string): string => `---
description: What a page can contain.
order: 2
---

# Writing pages

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
