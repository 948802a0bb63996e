export type Severity = 'error' | 'warning' | 'info';

/** Line and column numbers start at 1. Columns count UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** `end` is the position after the last character. */
export interface Range {
  start: Position;
  end: Position;
}

/** A problem in the project. */
export interface Diagnostic {
  code: string;
  severity: Severity;
  message: string;
  help?: string;
  /** An absolute path, which renderers make relative to the current folder. */
  file: string;
  range?: Range;
  /**
   * The reason given in the comment that ignores the problem, if there is one. The problem is still shown, but does not
   * affect the result.
   */
  ignored?: string;
  /** A safe fix, if there is one. */
  fix?: readonly Edit[];
}

/** Replaces the text in the range. Positions refer to the text before any edit. */
export interface Edit {
  range: Range;
  text: string;
}

/** The text that positions refer to. */
export interface Source {
  text: string;
  /** Ranges that must never be printed, such as secrets. They are shown as dots. */
  masks?: readonly Range[];
}

export type Loaded<T> =
  | { ok: true; value: T; diagnostics: Diagnostic[] }
  | { ok: false; diagnostics: Diagnostic[] };
