import type { OptionSpec } from '../command.js';

/** Where in the platform something happens. */
export interface TargetOptions {
  installation?: string;
  site?: string;
  space?: string;
}

export const targetOptions: readonly OptionSpec[] = [
  { flags: '--installation <id>', description: 'in this installation (default: the first one)' },
  { flags: '--site <id>', description: 'in this site' },
  { flags: '--space <id>', description: 'in this space' },
];

export const targetOf = ({ installation, site, space }: TargetOptions): TargetOptions => ({
  ...(installation !== undefined && { installation }),
  ...(site !== undefined && { site }),
  ...(space !== undefined && { space }),
});
