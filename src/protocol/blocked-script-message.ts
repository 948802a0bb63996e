/** The beginning of the error logged for a call that keeps all other code from running. */
export const nothingElseRuns = 'Nothing else has run for a second, because ';
