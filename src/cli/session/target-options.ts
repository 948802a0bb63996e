import type { OptionSpec } from '../context/command.js';

/** The installation, site or space that a command applies to. */
export interface TargetOptions {
  installation?: string;
  site?: string;
  space?: string;
}

export const targetOptions: readonly OptionSpec[] = [
  { flags: '--installation <id>', description: 'installation id (default: the first one)' },
  { flags: '--site <id>', description: 'site id' },
  { flags: '--space <id>', description: 'space id' },
];

export const targetOf = ({ installation, site, space }: TargetOptions): TargetOptions => ({
  ...(installation !== undefined && { installation }),
  ...(site !== undefined && { site }),
  ...(space !== undefined && { space }),
});
