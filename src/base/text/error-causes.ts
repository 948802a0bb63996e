/** An error and its causes, outermost first. If an error has several causes, only the first is followed. */
export function* errorCauses(error: unknown): Iterable<Error> {
  for (let at = error; at instanceof Error; at = at.cause) {
    yield at;
    if (at instanceof AggregateError) yield* errorCauses(at.errors[0]);
  }
}

/**
 * The message of the innermost cause, which is closest to what happened. Outer errors often say only that
 * something failed.
 */
export const innermostMessage = (error: unknown): string | undefined =>
  [...errorCauses(error)].map(({ message }) => message).findLast((message) => message !== '');
