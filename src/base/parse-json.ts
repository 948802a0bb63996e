/** What a text says as JSON, or this where it is none. */
export const parseJson = (text: string, otherwise: unknown): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
};
