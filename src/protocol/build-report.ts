/** A finding about the author's files, ready to be shown. */
export interface BuildProblem {
  code: string;
  severity: 'error' | 'warning' | 'info';
  message: string;
  help?: string;
  /** Relative to the manifest's folder. */
  file: string;
  line?: number;
  column?: number;
  /** The lines around it, drawn as in a terminal without colours. */
  frame?: string[];
}

/** How the last change of the author's files turned out. */
export interface BuildReport {
  ok: boolean;
  what: 'manifest' | 'script';
  time: number;
  durationMs?: number;
  problems: BuildProblem[];
}
