import { createStyle, type Style } from '../../terminal/style.js';
import { textWidth } from '../../terminal/text-width.js';
import { wrapText } from '../../terminal/wrap-text.js';

/**
 * Renders a page from `docs/` for a terminal: wraps paragraphs, aligns tables, highlights code and removes
 * comments and Markdown syntax.
 */
export function renderPage(markdown: string, { style, width }: { style: Style; width: number }): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let inCode = false;
  const flush = (): void => {
    const render = paragraph[0]?.startsWith('|') ? renderTable : renderParagraph;
    lines.push(...render(paragraph.map(markLinks), width).map((line) => paintInline(line, style)));
    paragraph = [];
  };
  const shown = markdown.replaceAll(/<!--[^]*?-->\s*/g, '').trimEnd();
  for (const line of shown.split(/\r?\n/)) {
    const heading = /^#{1,6} (.*)/.exec(line);
    if (line.startsWith('```')) {
      flush();
      inCode = !inCode;
    } else if (inCode) lines.push(`    ${style.cyan(line)}`.trimEnd());
    else if (heading) {
      flush();
      lines.push(style.bold(plain(heading[1] ?? '')));
    } else if (!line.trim()) {
      flush();
      lines.push('');
    } else {
      if (/^\s*[-*]/.test(line) || (line.startsWith('|') && !paragraph[0]?.startsWith('|'))) flush();
      paragraph.push(line.trim());
    }
  }
  flush();
  return `${lines.join('\n')}\n`;
}

/** Renders a paragraph or a list item. In a list item, all lines after the first are indented. */
function renderParagraph(lines: readonly string[], width: number): string[] {
  const text = lines.join(' ').replace(/`[^`]+`/g, keepTogether);
  if (!text) return [];
  const item = /^[-*] (.*)/.exec(text);
  if (!item) return wrapText(text, width);
  return wrapText(item[1] ?? '', width - 2).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

/** Aligns the columns. If the terminal is too narrow for them, shows each row as a list. */
function renderTable(lines: readonly string[], width: number): string[] {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .replaceAll(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  const table = [head.map((label) => label && `**${label}**`), ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => shownWidth(row[column] ?? ''))));
  if (widths.reduce((sum, one) => sum + one + 2, -2) <= width)
    return table.map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - shownWidth(cell)))
        .join('  ')
        .trimEnd(),
    );
  return rows
    .flatMap(([title = '', ...cells]) => [
      '',
      ...renderParagraph([title], width),
      ...cells.flatMap((cell, index) => {
        const label = cells.length > 1 ? `${head[index + 1]}: ` : '';
        return cell ? renderParagraph([`- ${label}${cell}`], width) : [];
      }),
    ])
    .slice(1);
}

const shownWidth = (cell: string): number => textWidth(paintInline(cell, createStyle(false)));

/** Marks URLs with a joiner, which takes up no space, because wrapping may split the Markdown syntax of a link. */
const markLinks = (line: string): string => line.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (\u200D$2\u200D)');

/** Prevents inline code from being split across lines. */
const keepTogether = (code: string): string => code.replaceAll(' ', '\u00A0');

const paintInline = (line: string, style: Style): string =>
  line
    .replace(/`([^`]+)`/g, (_, code: string) => style.cyan(code.replaceAll('\u00A0', ' ')))
    .replace(/\*\*([^*]+)\*\*/g, (_, text: string) => style.bold(text))
    .replace(/\u200D([^\u200D]+)\u200D/g, (_, address: string) => style.underline(address));

const plain = (text: string): string => text.replace(/[`*]/g, '');
