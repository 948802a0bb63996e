interface ShownIntegration {
  name: string;
  title: string;
  blocks: readonly { id: string; title: string; description?: string }[];
}

/** Renders three pages about the site itself, keyed by file. The first page contains the integrations' blocks. */
export function renderSamplePages(integrations: readonly ShownIntegration[]): Record<string, string> {
  const blocks = integrations.flatMap(({ name, blocks }) => blocks.map((block) => ({ name, block })));
  const [first] = blocks;
  return {
    'README.md': start(
      listOf(integrations.map(({ title }) => `**${title}**`)),
      blocks.map(({ name, block }) => blockText(name, block)).join('\n'),
    ),
    'events.md': events,
    'writing.md': writing(
      `${first?.name ?? integrations[0]?.name ?? 'integration'}/${first?.block.id ?? 'block'}`,
    ),
  };
}

const listOf = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();

const blockText = (
  integration: string,
  { id, title, description }: ShownIntegration['blocks'][number],
): string => `## ${title}\n\n${description ?? ''}\n\n{% @${integration}/${id} %}\n`;

const start = (titles: string, blocks: string): string => `---
description: Your integration as readers see it.
---

# Start

This is the documentation site of your local platform, where you can try ${titles}. Readers see pages like this one. Where the integration is installed, your script receives an event when they view a page, rate it or click a button.

${blocks || 'The manifest declares no blocks yet. To add one, run `npx platform add component greeting`, and put its tag on a page.\n'}
## Next

- [Events from readers](events.md): which actions send which events
- [Writing pages](writing.md): what a page can contain
`;

const events = `---
description: Which actions on this site send which events.
order: 1
---

# Events from readers

| Action | Event |
| --- | --- |
| Open a page | \`space_view\`, and \`site_view\` if the space is in a site |
| Rate a page | \`page_feedback\` |
| View a block, click a button, submit a form | \`ui_render\` |
| Save, add, move or delete a page | \`space_content_updated\` |
| Commit the pages to Git | \`space_gitsync_started\`, \`space_gitsync_completed\` |

The console lists the calls. If webhook endpoints are subscribed to an event, they receive it as well.

## Without a browser

With \`curl\`, you can read a page's text and the initial markup of its blocks. This does not count as a view.

\`\`\`sh
curl -s "$(npx platform open site --print)"
\`\`\`

> The page itself sends the view, once for each navigation.
`;

const writing = (block: string): string => `---
description: What a page can contain.
order: 2
---

# Writing pages

## Text

Pages are Markdown: **bold**, _italic_, \`code\`, ~~deleted~~ and [links](https://example.com).

1. Numbered lists
2. Bulleted lists
   - and nested lists

---

## Code

\`\`\`ts
export default createIntegration({
  components: [counter],
  events: { page_feedback: async (event) => console.log(event.feedback.rating) },
});
\`\`\`

## Blocks

A block is a tag on its own line. The values of its properties are JSON:

\`\`\`
{% @${block} start=3 %}
\`\`\`

## Links

{% embed url="https://example.com/" %}
`;
