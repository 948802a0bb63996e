import { environmentOptions } from '../../session/environment-options.js';
import { defineCommand } from '../../context/command.js';
import { sinceOption } from '../../context/report-options.js';
import type { PublishCheckOptions } from './run-publish-check.js';

export const publishCheck = defineCommand<PublishCheckOptions>({
  name: 'publish-check',
  summary: 'check everything that a marketplace reviewer would',
  description:
    'Check everything that a marketplace reviewer would check: the manifest, its descriptions and images, the script, and what the script does when it runs. The script runs with your permissions. Its outbound requests are blocked, but this is not a sandbox for malicious code. A packed submission is read, but its code is not run.',
  arguments: { '[paths...]': 'folders, patterns or packed submissions (default: this folder or a parent)' },
  options: {
    '--target <target>': {
      description: 'where the integration will be published',
      choices: ['marketplace', 'link', 'organization'],
      default: 'marketplace',
    },
    '--strict': 'treat warnings as errors',
    '--rule <code=severity>': {
      description: 'set the severity of a rule: off, info, warning or error',
      repeat: true,
    },
    ...sinceOption,
    ...environmentOptions,
    '--against <baseline>': 'report breaking changes compared with this folder, packed file or commit',
    '--recordings <folder>':
      'with --against: run these recorded calls with the current version, and report any that fail or behave differently',
    '--pack <file>': 'write the submission to a .tgz file, unless a check fails',
    '--force': 'write the submission even if a check fails',
  },
  formats: ['github', 'gitlab', 'sarif', 'junit', 'markdown'],
  examples: {
    'platform publish-check': 'print the checklist',
    'platform publish-check integrations/*': 'check several integrations',
    'platform publish-check --against v1.2.0 --pack out.tgz':
      'compare with the last release and pack the submission',
  },
  async run(context, named, options) {
    const { runPublishCheck } = await import('./run-publish-check.js');
    return runPublishCheck(context, named, options);
  },
});
