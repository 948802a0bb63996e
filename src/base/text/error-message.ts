/** Returns the message of a thrown value. The value may not be an error, because scripts can throw anything. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
