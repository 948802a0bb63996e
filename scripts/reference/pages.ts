import { blocks } from './markdown.js';
import { commandsPage, platformWebhooksPage } from './commands.js';
import { elementsPage } from './elements.js';
import { eventsPage, webhookPayloadsPage } from './events.js';
import { jsonPage } from './json.js';
import { keySections, readSchema } from './schema-keys.js';
import { sdkPage } from './sdk.js';

const keysPage = (title: string, schema: string, note = ''): string => {
  const root = readSchema(schema);
  return blocks(`# ${title}`, root.description ?? '', note, keySections(root));
};

/** All pages of the reference, by their file in `docs/reference/`. */
export const referencePages: Readonly<Record<string, () => string>> = {
  'commands.md': commandsPage,
  'platform-webhooks.md': platformWebhooksPage,
  'manifest.md': () =>
    keysPage(
      'platform-manifest.yaml',
      'platform-manifest',
      "[*Assumed*](../fidelity.md) marks keys that the platform's specification does not contain. They work locally, but production may treat them differently.",
    ),
  'dev-settings.md': () => keysPage('platform.dev.yaml', 'platform-dev'),
  'events.md': eventsPage,
  'webhook-payloads.md': webhookPayloadsPage,
  'elements.md': elementsPage,
  'sdk.md': sdkPage,
  'json.md': jsonPage,
};
