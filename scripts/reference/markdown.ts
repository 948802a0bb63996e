/** Renders a table. Leaves out columns that are empty in every row, and a table without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const used = head.map((_, at) => rows.some((row) => row[at] !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_, at) => used[at])
      .map(cell)
      .join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');

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
