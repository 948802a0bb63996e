export { checkPacked } from './check-packed.js';
export { checkProject, type CheckedProject } from './check-project.js';
export { readGitFile } from './git-file.js';
export { packSubmission } from './pack.js';
export { sandboxedHost } from './probe/sandboxed-host.js';
export { renderChecklist } from './render-checklist.js';
export { renderMarkdown } from './render-markdown.js';
export type { Target } from './submission.js';
