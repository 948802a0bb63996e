export type { Diagnostic, Edit, Loaded, Position, Range, Severity, Source } from './diagnostic.js';
export { listCodes, readPage } from './explain.js';
export { nearest, nearestAll } from './nearest.js';
export { sortDiagnostics } from './order.js';
export { paintDiff } from './paint-diff.js';
export { relativePath } from './relative-path.js';
export { reportToJson } from './render-json.js';
export { renderPage } from './render-page.js';
export { renderDiff } from './render-diff.js';
export { renderReport, reportFormats, type ReportFormat } from './render-report.js';
export {
  createReport,
  type FixedFile,
  type Report,
  type Summary,
  type Threshold,
  type View,
} from './report.js';
export { runRules, type Finding, type Located, type Path, type Rule, type RuleInfo } from './rule.js';
export { applySeverities, type SeverityChoice, type SeverityChoices } from './severities.js';
export { createStyle, type Style } from './style.js';
export { count } from './summary.js';
export { severityPaint } from './severity-paint.js';
export { UserError } from './user-error.js';
export { visible, visibleLines } from './visible.js';
export { wrapText } from './wrap-text.js';
