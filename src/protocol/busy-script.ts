/** The start of the error that is logged for a call which keeps all other code from running. */
export const nothingElseRuns = 'Nothing else has run for a second, because ';
