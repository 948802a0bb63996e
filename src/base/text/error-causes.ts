/** An error and what caused it, outermost first; of several causes, the first. */
export function* errorCauses(error: unknown): Iterable<Error> {
  for (let at = error; at instanceof Error; at = at.cause) {
    yield at;
    if (at instanceof AggregateError) yield* errorCauses(at.errors[0]);
  }
}

/** The message closest to what happened: hosts put it below an error that says only that it failed. */
export const innermostMessage = (error: unknown): string | undefined =>
  [...errorCauses(error)].map(({ message }) => message).findLast((message) => message !== '');
