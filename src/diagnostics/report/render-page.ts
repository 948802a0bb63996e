import type { Style } from '../../terminal/style.js';
import { wrapText } from '../../terminal/wrap-text.js';

/**
 * Renders a page from `docs/` for a terminal: wraps paragraphs, highlights code and removes Markdown
 * syntax.
 */
export function renderPage(markdown: string, { style, width }: { style: Style; width: number }): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let inCode = false;
  const flush = (): void => {
    lines.push(...renderParagraph(paragraph, width).map((line) => paintInline(line, style)));
    paragraph = [];
  };
  for (const line of markdown.trimEnd().split(/\r?\n/)) {
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
      if (/^\s*[-*|]/.test(line)) flush();
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
  if (text.startsWith('|')) return [text];
  const item = /^[-*] (.*)/.exec(text);
  if (!item) return wrapText(text, width);
  return wrapText(item[1] ?? '', width - 2).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

/** Prevents inline code from being split across lines. */
const keepTogether = (code: string): string => code.replaceAll(' ', '\u00A0');

const paintInline = (line: string, style: Style): string =>
  line
    .replace(/`([^`]+)`/g, (_, code: string) => style.cyan(code.replaceAll('\u00A0', ' ')))
    .replace(/\*\*([^*]+)\*\*/g, (_, text: string) => style.bold(text))
    .replace(
      /\[([^\]]+)\]\(([^)]+)\)/g,
      (_, text: string, address: string) => `${text} (${style.underline(address)})`,
    );

const plain = (text: string): string => text.replace(/[`*]/g, '');
