import type { ValidateOptions } from './run-validate.js';
import { environmentOptions } from '../../session/environment-options.js';
import { defineCommand } from '../../context/command.js';
import { reportOptions, sinceOption } from '../../context/report-options.js';

export const validate = defineCommand<ValidateOptions>({
  name: 'validate',
  summary: 'check the manifest and the dev settings',
  description:
    'Check the manifest and platform.dev.yaml. Without paths, checks those in this folder or the ' +
    'nearest parent with a manifest. Folders are searched for manifests, and "-" reads standard input.',
  arguments: { '[paths...]': 'files, folders or patterns' },
  options: {
    ...reportOptions,
    ...sinceOption,
    ...environmentOptions,
    '--fix': 'fix problems that have exactly one safe fix',
    '--dry-run': 'with --fix: show the changes without writing them',
    '--watch': 'check again whenever a file is saved',
    '--stdin-filename <path>': 'file name to use for standard input',
  },
  formats: ['github', 'gitlab', 'sarif', 'junit'],
  examples: {
    'platform validate': 'check the manifest in this folder',
    'platform validate integrations --strict': 'check every manifest in a folder',
    'platform validate --fix --dry-run': 'show the fixes without writing them',
  },
  async run(context, named, options) {
    const { runValidate } = await import('./run-validate.js');
    return runValidate(context, named, options);
  },
});
