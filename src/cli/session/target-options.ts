import type { OptionSpec } from '../context/command.js';

/** The installation, site or space that a command applies to. */
export interface TargetOptions {
  installation?: string;
  site?: string;
  space?: string;
}

export const targetOptions: readonly OptionSpec[] = [
  { flags: '--installation <id>', description: 'id of the installation (default: the first one)' },
  { flags: '--site <id>', description: 'id of a site' },
  { flags: '--space <id>', description: 'id of a space' },
];

export const targetOf = ({ installation, site, space }: TargetOptions): TargetOptions => ({
  ...(installation !== undefined && { installation }),
  ...(site !== undefined && { site }),
  ...(space !== undefined && { space }),
});
