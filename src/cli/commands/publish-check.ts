import { defineCommand } from '../command.js';
import type { PublishCheckOptions } from '../publish/run-publish-check.js';

export const publishCheck = defineCommand<PublishCheckOptions>({
  name: 'publish-check',
  summary: 'check everything that a reviewer of the marketplace looks at',
  description:
    'Check everything that a reviewer of the marketplace looks at: the manifest, its texts and pictures, the script, what it does when it runs.',
  arguments: [
    {
      syntax: '[folder]',
      description: 'where the manifest is (default: here, or above), or a packed submission',
    },
  ],
  options: [
    {
      flags: '--target <target>',
      description: 'who is to install it; what only the marketplace wants is a warning for others',
      choices: ['marketplace', 'link', 'organization'],
      default: 'marketplace',
    },
    { flags: '--strict', description: 'take every warning for an error' },
    { flags: '--against <former>', description: 'a folder or a commit: find what breaks installations' },
    { flags: '--pack <file>', description: 'write what would be submitted to a .tgz file' },
  ],
  formats: ['github', 'sarif', 'junit', 'markdown'],
  examples: [
    { command: 'platform publish-check', does: 'the checklist' },
    { command: 'platform publish-check --against v1.2.0 --pack out.tgz', does: 'before a release' },
    { command: 'platform publish-check out.tgz --format markdown', does: 'for a comment on a pull request' },
  ],
  async run(context, [where], options) {
    const { runPublishCheck } = await import('../publish/run-publish-check.js');
    return runPublishCheck(context, where, options);
  },
});
