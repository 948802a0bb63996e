import type { Renderer, Report, View } from './report.js';

export const reportFormats = ['text', 'json', 'github', 'sarif', 'junit', 'gitlab'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Loads each format only when it is used. */
const renderers: Record<ReportFormat, () => Promise<Renderer>> = {
  text: async () => (await import('./render-text.js')).renderText,
  json: async () => (await import('./render-json.js')).renderJson,
  github: async () => (await import('./render-github.js')).renderGithub,
  sarif: async () => (await import('./render-sarif.js')).renderSarif,
  gitlab: async () => (await import('./render-gitlab.js')).renderGitlab,
  junit: async () => (await import('./render-junit.js')).renderJunit,
};

export async function renderReport(format: ReportFormat, report: Report, view: View): Promise<string> {
  const render = await renderers[format]();
  return render(report, view);
}
