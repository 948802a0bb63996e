/** A problem in the author's files, formatted for display. */
export interface BuildProblem {
  code: string;
  severity: 'error' | 'warning' | 'info';
  message: string;
  help?: string;
  /** Path relative to the manifest's folder. */
  file: string;
  line?: number;
  column?: number;
  /** The source lines around the problem, formatted as in a terminal without colors. */
  frame?: string[];
}

/** The result of the last change to the author's files. */
export interface BuildReport {
  ok: boolean;
  what: 'manifest' | 'script';
  time: number;
  durationMs?: number;
  problems: BuildProblem[];
  /** Why types are not being checked even though they should be. */
  typesNotChecked?: string;
}

/** Returns the first sentence about a broken build, without the full stop. */
export function whatBroke({ what, problems }: BuildReport): string {
  if (what === 'manifest') return 'The manifest has errors';
  const fails = problems.some(({ severity, code }) => severity === 'error' && code === 'script');
  return `The last save ${fails ? 'fails to load' : 'does not build'}`;
}
