export { checkPacked } from './submission/check-packed.js';
export { checkProject, type CheckedProject } from './check-project.js';
export { readGitFile } from './baseline/baseline.js';
export { packSubmission } from './submission/pack.js';
export { sandboxedHost } from './probe/sandboxed-host.js';
export { renderChecklist } from './render-checklist.js';
export { renderMarkdown } from './render-markdown.js';
export type { Target } from './submission/submission.js';
