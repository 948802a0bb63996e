/** Returns a thrown value's message, because scripts may throw anything. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
