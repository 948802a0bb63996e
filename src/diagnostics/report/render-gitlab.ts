import { createHash } from 'node:crypto';
import type { Severity } from '../model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import { jsonText } from '../../terminal/printable-json.js';
import type { Report, View } from './report.js';

const severities: Record<Severity, string> = { error: 'major', warning: 'minor', info: 'info' };

/** Renders a report for GitLab Code Quality, which shows each finding next to its line in a merge request. */
export function renderGitlab({ diagnostics }: Report, { cwd }: Pick<View, 'cwd'>): string {
  const seen = new Map<string, number>();
  /**
   * Returns a fingerprint that does not depend on the line, because GitLab compares branches, and the same problem may be on
   * a different line in each.
   */
  const fingerprint = (...parts: string[]): string => {
    const key = parts.join('\0');
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return createHash('sha256').update(`${key}\0${before}`).digest('hex');
  };
  const issues = diagnostics.map(({ code, severity, message, help, file, range }) => {
    const path = relativePath(cwd, file);
    return {
      description: help === undefined ? message : `${message} ${help}`,
      check_name: code,
      fingerprint: fingerprint(path, code, message),
      severity: severities[severity],
      location: { path, lines: { begin: range?.start.line ?? 1 } },
    };
  });
  return `${jsonText(issues, 2)}\n`;
}
