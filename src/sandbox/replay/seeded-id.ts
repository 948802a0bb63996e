/** An id that `crypto.randomUUID()` returns during a replay. Any two of them are treated as equal. */
export const seededId = /[\da-f]{8}-5eed-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}/g;
