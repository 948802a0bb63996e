import { resolve } from 'node:path';
import { readStats } from '../../base/node/read-stats.js';
import { UserError } from '../../base/user-error.js';
import type { OptionSpecs } from '../context/command.js';

export interface EnvironmentOptions {
  env?: string;
  dotenv?: string;
}

/** Options for choosing one of the manifest's environments and the file with its variables. */
export const environmentOptions = {
  '--env <name>': 'use the fields of envs.<name> in the manifest and the variables in .env.<name>',
  '--dotenv <file>': 'read environment variables from this file (default: .env)',
} satisfies OptionSpecs;

export interface ChosenEnvironment {
  environment?: string;
  dotenv?: string;
}

export function chooseEnvironment({ env, dotenv }: EnvironmentOptions, cwd: string): ChosenEnvironment {
  const stats = dotenv === undefined ? undefined : readStats(resolve(cwd, dotenv));
  if (dotenv !== undefined && (!stats || stats.isDirectory())) {
    throw new UserError(
      'no-such-file',
      stats ? `"${dotenv}" is a folder, not a file.` : `File not found: "${dotenv}".`,
      stats ? 'Pass a file with --dotenv.' : 'Create it, or pass another file with --dotenv.',
    );
  }
  return {
    ...(env !== undefined && { environment: env }),
    ...(dotenv !== undefined && { dotenv: resolve(cwd, dotenv) }),
  };
}
