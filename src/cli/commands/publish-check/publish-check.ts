import { environmentOptions } from '../../session/environment-options.js';
import { defineCommand } from '../../command.js';
import type { PublishCheckOptions } from './run-publish-check.js';

export const publishCheck = defineCommand<PublishCheckOptions>({
  name: 'publish-check',
  summary: 'check everything that a reviewer of the marketplace looks at',
  description:
    "Check everything that a reviewer of the marketplace looks at: the manifest, its texts and pictures, the script, what it does when it runs. The project's own script runs with your rights, and its outbound requests are refused: this is not a sandbox against malicious code. A packed submission is only read. Nothing in it runs.",
  arguments: [
    {
      syntax: '[paths...]',
      description: 'folders of manifests (default: this folder or one above), or packed submissions',
    },
  ],
  options: [
    {
      flags: '--target <target>',
      description: 'who can install it; decides the required visibility',
      choices: ['marketplace', 'link', 'organization'],
      default: 'marketplace',
    },
    { flags: '--strict', description: 'fail on warnings too' },
    {
      flags: '--rule <code=severity>',
      description: 'off, info, warning or error for one code',
      repeat: true,
    },
    ...environmentOptions,
    { flags: '--against <baseline>', description: 'find breaking changes since a folder or a commit' },
    {
      flags: '--pack <file>',
      description: 'write what would be submitted to a .tgz file, unless a check fails',
    },
    { flags: '--force', description: 'pack even if a check fails' },
  ],
  formats: ['github', 'gitlab', 'sarif', 'junit', 'markdown'],
  examples: [
    { command: 'platform publish-check', does: 'the checklist' },
    { command: 'platform publish-check integrations/*', does: 'several, with one summary' },
    { command: 'platform publish-check --against v1.2.0 --pack out.tgz', does: 'before a release' },
  ],
  async run(context, named, options) {
    const { runPublishCheck } = await import('./run-publish-check.js');
    return runPublishCheck(context, named, options);
  },
});
