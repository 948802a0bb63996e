import type { OptionSpecs } from '../context/command.js';

export interface TargetOptions {
  installation?: string;
  site?: string;
  space?: string;
}

export const installationOption = { '--installation <id>': 'installation id (default: the first one)' };

export const targetOptions: OptionSpecs = {
  ...installationOption,
  '--site <id>': 'site id',
  '--space <id>': 'space id',
};

export const targetOf = ({ installation, site, space }: TargetOptions): TargetOptions => ({
  ...(installation !== undefined && { installation }),
  ...(site !== undefined && { site }),
  ...(space !== undefined && { space }),
});
