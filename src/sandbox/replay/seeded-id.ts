/** Matches an id that `crypto.randomUUID()` returns during a replay. Any two such ids are treated as equal. */
export const seededId = /[\da-f]{8}-5eed-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}/g;
