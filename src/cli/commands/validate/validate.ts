import type { ValidateOptions } from './run-validate.js';
import { environmentOptions } from '../../session/environment-options.js';
import { defineCommand, parseWholeNumber } from '../../command.js';

export const validate = defineCommand<ValidateOptions>({
  name: 'validate',
  summary: 'check manifests',
  description:
    'Check manifests. Without paths it is the one in this folder, else the nearest above. ' +
    'Folders are searched; "-" reads standard input.',
  arguments: [{ syntax: '[paths...]', description: 'files, folders or patterns' }],
  options: [
    { flags: '--strict', description: 'take every warning for an error' },
    { flags: '--max-warnings <number>', description: 'fail when there are more', parse: parseWholeNumber },
    {
      flags: '--rule <code=severity>',
      description: 'off, info, warning or error for one rule',
      repeat: true,
    },
    ...environmentOptions,
    { flags: '--fix', description: 'mend what has one certain remedy' },
    { flags: '--dry-run', description: 'with --fix: print the changes, make none' },
    { flags: '--watch', description: 'check again at every save' },
    { flags: '--stdin-filename <path>', description: 'where the text of standard input belongs' },
  ],
  formats: ['github', 'gitlab', 'sarif', 'junit'],
  examples: [
    { command: 'platform validate', does: 'the manifest here' },
    { command: 'platform validate integrations --strict', does: 'all below a folder' },
    { command: 'platform validate --fix --dry-run', does: 'what would be mended' },
  ],
  async run(context, named, options) {
    const { runValidate } = await import('./run-validate.js');
    return runValidate(context, named, options);
  },
});
