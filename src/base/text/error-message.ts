/** Returns a thrown value's message. The value may not be an error, because scripts may throw anything. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
