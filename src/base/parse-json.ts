/** Parses JSON. Returns the fallback if the text is not valid JSON. */
export const parseJson = (text: string, otherwise: unknown): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
};

export const isJson = (text: string): boolean => parseJson(text, undefined) !== undefined;
