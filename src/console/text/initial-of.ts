/** Stands for a picture that there is none of. */
export const initialOf = (title: string): string =>
  String.fromCodePoint(title.codePointAt(0) ?? 0x3f).toUpperCase();
