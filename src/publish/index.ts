export { checkPacked } from './check-packed.js';
export { checkProject, type CheckedProject, type CheckProjectOptions } from './check-project.js';
export { packSubmission } from './pack.js';
export { renderChecklist, renderVerdictCounts } from './render-checklist.js';
export type { Strictness } from './run-checks.js';
export { escapeMarkdown, renderMarkdown } from './render-markdown.js';
export type { Target } from './submission/submission.js';
