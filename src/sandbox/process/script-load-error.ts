/** The failure was caused by the script, not by the machine: the script threw an error or did not finish loading. */
export class ScriptLoadError extends Error {
  readonly code = 'script-load-failed';
}

export const isScriptLoadError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'script-load-failed';

/** Advice for the author if a script does not finish loading. */
export const adviceOnLoading = 'Look for an infinite loop, or for a top-level await that never resolves.';

export const tooLong = (ms: number): string =>
  `The script took longer than ${ms / 1000} s to load. ${adviceOnLoading}`;
