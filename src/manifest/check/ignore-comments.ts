import { Lexer } from 'yaml';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { nearest } from '../../base/nearest-name.js';
import { isSign } from '../yaml/syntax-problem.js';
import type { LineIndex } from '../yaml/line-index.js';

const marker = 'platform-ignore';
const comment = /^#\s*platform-ignore(?:\s+([^\s:]+))?\s*(?::\s*(.*?))?\s*$/;

interface Suppression {
  code: string;
  reason: string;
  /** The line whose findings it silences. */
  line: number;
  start: number;
  end: number;
}

/** Takes out what comments silence, and tells of comments that silence nothing or give no reason. */
export function applyIgnoreComments(
  diagnostics: readonly Diagnostic[],
  source: { file: string; text: string; lines: LineIndex },
  codes: readonly string[],
): Diagnostic[] {
  if (!source.text.includes(marker)) return [...diagnostics];
  const suppressions = findSuppressions(source.text, source.lines);
  const used = new Set<Suppression>();
  const kept = diagnostics.filter((diagnostic) => {
    const by = suppressions.filter(
      ({ code, line }) => code === diagnostic.code && line === diagnostic.range?.start.line,
    );
    for (const suppression of by) used.add(suppression);
    return by.length === 0;
  });
  const told = suppressions.flatMap((suppression) =>
    describe(suppression, used.has(suppression), codes).map(({ code, message, help }): Diagnostic => {
      const range = source.lines.range(suppression.start, suppression.end);
      return { code, severity: 'warning', message, help, file: source.file, range };
    }),
  );
  return [...kept, ...told];
}

function describe(
  { code, reason }: Suppression,
  used: boolean,
  codes: readonly string[],
): { code: string; message: string; help: string }[] {
  const room = /^[^/]*\//.exec(codes[0] ?? '')?.[0] ?? '';
  if (code !== '' && !code.startsWith(room)) return [];
  if (!codes.includes(code)) {
    const near = nearest(code, codes);
    return [
      {
        code: 'manifest/unused-ignore',
        message: code ? `There is no rule ${code}.` : 'The comment names no rule.',
        help: near ? `Did you mean ${near}?` : 'Write `# platform-ignore <rule>: <reason>`.',
      },
    ];
  }
  if (!used)
    return [
      {
        code: 'manifest/unused-ignore',
        message: `${code} finds nothing here to ignore.`,
        help: 'Remove the comment, or put it on the line of the finding or the line above.',
      },
    ];
  if (reason !== '') return [];
  return [
    {
      code: 'manifest/ignore-without-reason',
      message: `The comment does not say why ${code} is ignored.`,
      help: `Write \`# platform-ignore ${code}: <reason>\`.`,
    },
  ];
}

function findSuppressions(text: string, lines: LineIndex): Suppression[] {
  const found: Suppression[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const match = lexeme.startsWith('#') ? comment.exec(lexeme) : null;
    const start = offset;
    if (!isSign(lexeme)) offset += lexeme.length;
    if (!match || !text.startsWith(lexeme, start)) continue;
    const [, code = '', reason = ''] = match;
    found.push({ code, reason, line: targetLine(text, start, lines), start, end: start + lexeme.length });
  }
  return found;
}

/** A comment behind something speaks of its own line; one alone speaks of the next line that is no such comment. */
function targetLine(text: string, start: number, lines: LineIndex): number {
  let { line } = lines.position(start);
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (before.trim() !== '') return line;
  const following = text.slice(start).split('\n', 50);
  for (const next of following) {
    if (!comment.test(next.trim())) break;
    line += 1;
  }
  return line;
}
