const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** A list of names, each with notes in brackets, such as its type, and its meaning. */
export const entries = (
  rows: readonly (readonly [name: string, notes: readonly string[], meaning: string])[],
): string => rows.map(entry).join('\n');

export const entry = ([name, notes, meaning]: readonly [
  name: string,
  notes: readonly string[],
  meaning: string,
]): string => {
  const shown = notes.filter((note) => note !== '').join('; ');
  return oneLine(
    `- ${code(name)}${shown === '' ? '' : ` (${shown})`}${meaning === '' ? '' : `: ${meaning}`}`,
  );
};

export const code = (text: string): string => `\`${text}\``;

export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Joins blocks with an empty line between them. Leaves out empty blocks. */
export const blocks = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

export const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
