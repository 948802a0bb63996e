/** Parses JSON, or returns the fallback if the text is not JSON. */
export const parseJson = (text: string, otherwise: unknown): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
};
