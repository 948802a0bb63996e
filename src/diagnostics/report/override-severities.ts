import type { Diagnostic, Severity } from '../model/diagnostic.js';

export type SeverityChoice = Severity | 'off';

/** The severities that the user has chosen for codes. Applied before `strict` turns every warning into an error. */
export interface SeverityChoices {
  rules: ReadonlyMap<string, SeverityChoice>;
  strict: boolean;
}

export function applySeverities(
  diagnostics: readonly Diagnostic[],
  { rules, strict }: SeverityChoices,
): Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const chosen = rules.get(diagnostic.code) ?? diagnostic.severity;
    if (chosen === 'off') return [];
    return [{ ...diagnostic, severity: strict && chosen === 'warning' ? 'error' : chosen }];
  });
}
