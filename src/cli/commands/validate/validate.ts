import type { ValidateOptions } from './run-validate.js';
import { environmentOptions } from '../../session/environment-options.js';
import { defineCommand, parseWholeNumber } from '../../context/command.js';

export const validate = defineCommand<ValidateOptions>({
  name: 'validate',
  summary: 'check the manifest and the dev settings',
  description:
    'Check the manifest and platform.dev.yaml. Without paths, checks those in this folder or the ' +
    'nearest parent with a manifest. Folders are searched for manifests, and "-" reads standard input.',
  arguments: [{ syntax: '[paths...]', description: 'files, folders or patterns' }],
  options: [
    { flags: '--strict', description: 'treat warnings as errors' },
    {
      flags: '--max-warnings <number>',
      description: 'fail if there are more warnings than this',
      parse: parseWholeNumber,
    },
    {
      flags: '--rule <code=severity>',
      description: 'set the severity of a rule: off, info, warning or error',
      repeat: true,
    },
    ...environmentOptions,
    { flags: '--fix', description: 'fix problems that have exactly one safe fix' },
    { flags: '--dry-run', description: 'with --fix: show the changes without writing them' },
    { flags: '--watch', description: 'check again whenever a file is saved' },
    { flags: '--stdin-filename <path>', description: 'file name to use for standard input' },
  ],
  formats: ['github', 'gitlab', 'sarif', 'junit'],
  examples: [
    { command: 'platform validate', does: 'check the manifest in this folder' },
    { command: 'platform validate integrations --strict', does: 'check every manifest in a folder' },
    { command: 'platform validate --fix --dry-run', does: 'show the fixes without writing them' },
  ],
  async run(context, named, options) {
    const { runValidate } = await import('./run-validate.js');
    return runValidate(context, named, options);
  },
});
