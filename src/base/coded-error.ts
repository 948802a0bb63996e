const brand = Symbol.for('integration-platform.coded-error');

/**
 * An error that programs recognize by its `code`, and that people understand from its message and hint. The folders under `src`
 * are bundled separately, so each bundle has its own copy of these classes, and `instanceof` does not work across bundles. A
 * brand shared by all copies identifies the errors instead, and `name` contains the class name.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  abstract override readonly name: string;
  /** Machine-readable code in kebab case, such as `not-found`. */
  readonly code: Code;
  /** What to do next. */
  readonly hint: string | undefined;

  constructor(code: Code, message: string, { hint, cause }: { hint?: string; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }

  /** Defined on the prototype, so that printing the error does not show it. */
  get [brand](): true {
    return true;
  }
}

/** Returns a function that recognizes errors of a class, no matter which copy of the class created them. */
export const recognize =
  <E extends CodedError>(name: E['name']) =>
  (error: unknown): error is E =>
    error instanceof Error && brand in error && error.name === name;
