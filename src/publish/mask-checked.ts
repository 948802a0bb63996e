import type { Diagnostic, Source } from '../diagnostics/index.js';
import { createMask } from '../protocol/mask-secrets.js';
import type { CheckedSubmission } from './run-checks.js';

/** Masks the values of secrets. The script receives these values, so any of its output may contain them. */
export type Hide = (text: string) => string;

/** Host names appear in lower case. */
export const createHide = (secrets: Readonly<Record<string, string>>): Hide =>
  createMask(Object.values(secrets).flatMap((value) => [value, value.toLowerCase()]));

export function maskChecked({ report, checks }: CheckedSubmission, hide: Hide): CheckedSubmission {
  const maskDiagnostic = (one: Diagnostic): Diagnostic => ({
    ...one,
    message: hide(one.message),
    ...(one.help !== undefined && { help: hide(one.help) }),
  });
  return {
    report: {
      ...report,
      diagnostics: report.diagnostics.map(maskDiagnostic),
      ignored: report.ignored.map(maskDiagnostic),
    },
    checks: checks.map((check) => ({
      ...check,
      evidence: hide(check.evidence),
      ...(check.help !== undefined && { help: hide(check.help) }),
    })),
  };
}

/** Masks the source lines around a problem. Each line is masked separately, so line numbers stay the same. */
export const maskSource = ({ text, ...source }: Source, hide: Hide): Source => ({
  ...source,
  text: text.split('\n').map(hide).join('\n'),
});
