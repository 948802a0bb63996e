export type { Diagnostic, Position, Range, Source } from './model/diagnostic.js';
export { listCodes, readPage } from './read-page.js';
export { renderDiff } from './report/render-diff.js';
export { nextCommand } from './report/next-command.js';
export { reportToJson } from './report/render-json.js';
export { renderPage } from './report/render-page.js';
export { renderJunitSuites, type JunitSuite } from './report/render-junit.js';
export { renderReport, reportFormats, type ReportFormat } from './report/render-report.js';
export {
  createReport,
  type FixedFile,
  type FixedProblem,
  type Report,
  type Threshold,
  type View,
} from './report/report.js';
export type { RuleInfo } from './model/rule.js';
export { applySeverities, type SeverityChoice, type SeverityChoices } from './report/override-severities.js';
export { severityPaint } from './report/code-frame.js';
export { count } from './report/render-summary.js';
