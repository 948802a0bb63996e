import { ignoreText, type IgnoreComment } from '../diagnostics/apply-ignores.js';
import { transform } from './esbuild.js';
import { codeLoader, type SourceFile } from './source-file.js';

const name = /platform-ignore\b/g;
const opened = /(?:\/\/|\/\*)[^\S\n]{0,20}$/;

/**
 * Finds ignore comments. A comment after code applies to its own line. A comment on its own line applies to the next line that
 * is not an ignore comment.
 */
export async function findIgnoreComments(source: SourceFile): Promise<IgnoreComment[]> {
  const { text } = source;
  const comments = (await findComments(source)).map((index) => readComment(text, index));
  const alone = new Set(comments.flatMap(({ isAlone, range }) => (isAlone ? [range.start.line] : [])));
  return comments.map(({ isAlone, ...comment }) => {
    let { line } = comment.range.start;
    if (isAlone) while (alone.has(line)) line += 1;
    return { ...comment, line };
  });
}

/**
 * Finds `platform-ignore` comments. To distinguish them from text in strings, templates and markup, compares the source with
 * bundler output in which only the comments have been removed.
 */
async function findComments({ file, text }: SourceFile): Promise<number[]> {
  const loader = codeLoader(file);
  const found = [...text.matchAll(name)]
    .map(({ index }) => index)
    .filter((index) => opened.test(text.slice(Math.max(0, index - 22), index)));
  if (!loader || found.length === 0) return [];
  const candidates = new Set(found);
  const marked = text.replace(name, (word, index: number) =>
    candidates.has(index) ? `platform_ignore_${index}_` : word,
  );
  const { code } = await transform(marked, {
    loader,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { jsx: 'preserve', experimentalDecorators: true } },
  }).catch(() => ({ code: '' }));
  const elsewhere = new Set([...code.matchAll(/platform_ignore_(\d+)_/g)].map(([, index]) => Number(index)));
  return found.filter((index) => !elsewhere.has(index));
}

function readComment(text: string, index: number): Omit<IgnoreComment, 'line'> & { isAlone: boolean } {
  const start = Math.max(text.lastIndexOf('//', index), text.lastIndexOf('/*', index));
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const [toEnd = ''] = /.*/.exec(text.slice(start)) ?? [];
  const closed = text.startsWith('/*', start) ? toEnd.indexOf('*/') : -1;
  const [, code = '', reason = ''] =
    ignoreText.exec(toEnd.slice(2, closed === -1 ? undefined : closed)) ?? [];
  const line = text.slice(0, start).split('\n').length;
  const column = start - lineStart + 1;
  return {
    code,
    reason,
    range: { start: { line, column }, end: { line, column: column + toEnd.length } },
    isAlone: text.slice(lineStart, start).replace('{', '').trim() === '',
  };
}
