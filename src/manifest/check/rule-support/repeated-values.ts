/** The places of texts that stood earlier in the list already. */
export function findRepeated(
  texts: readonly { text: string; index: number }[],
): { text: string; index: number; first: number }[] {
  const seen = new Map<string, number>();
  const repeated: { text: string; index: number; first: number }[] = [];
  for (const { text, index } of texts) {
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else repeated.push({ text, index, first });
  }
  return repeated;
}
