import { readFileSync } from 'node:fs';
import { nearest } from '../../base/did-you-mean.js';
import { UserError } from '../../base/user-error.js';
import { defineCommand, fine } from '../context/command.js';
import { schemasFolder } from '../../base/package-files.js';
import { ownProperty } from '../../base/own-property.js';

const files: Record<string, string> = {
  manifest: 'platform-manifest.schema.json',
  events: 'events.schema.json',
  'webhook-payloads': 'webhook-payloads.schema.json',
  dev: 'platform-dev.schema.json',
  recording: 'recording.schema.json',
};

export const schema = defineCommand({
  name: 'schema',
  summary: 'print a JSON Schema',
  description: 'Print a JSON Schema, for editors, tests and code generators.',
  arguments: { '<name>': `one of ${Object.keys(files).join(', ')}` },
  examples: {
    'platform schema manifest': 'print the schema of platform-manifest.yaml',
    'platform schema events > events.schema.json': 'save the schema of the events that scripts receive',
  },
  async run(context, [name = '']) {
    const file = ownProperty(files, name);
    if (file === undefined) {
      const near = nearest(name, Object.keys(files));
      throw new UserError(
        'unknown-schema',
        `Unknown schema: "${name}".`,
        near ? `Did you mean "${near}"?` : `Available schemas: ${Object.keys(files).join(', ')}.`,
      );
    }
    const text = readFileSync(new URL(file, schemasFolder), 'utf8');
    if (context.json) context.emit({ name, schema: JSON.parse(text) });
    else context.print(text);
    return fine;
  },
});
