/** Returns the message of a thrown value, which is not necessarily an error, because scripts can throw anything. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
