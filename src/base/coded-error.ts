const brand = Symbol.for('integration-platform.coded-error');

/**
 * An error with a `code` for programs, and a message and hint for people. The folders under `src` are bundled
 * separately, and each bundle has its own copy of these classes, so `instanceof` does not work across bundles.
 * Instead, all copies share a brand that identifies the errors, and `name` contains the class name.
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

  /** Defined on the prototype, so it does not appear when the error is printed. */
  get [brand](): true {
    return true;
  }
}

/** Returns a function that recognizes errors of a class, no matter which copy of the class created them. */
export const recognize =
  <E extends CodedError>(name: E['name']) =>
  (error: unknown): error is E =>
    error instanceof Error && brand in error && error.name === name;
