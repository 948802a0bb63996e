import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ProductText {
  /** Relative to the repository. */
  file: string;
  line: number;
  kind: 'text' | 'comment';
  text: string;
}

/** The texts in files and folders: strings and comments of sources, whole lines of other files. */
export function productTexts(paths: readonly string[]): ProductText[] {
  return paths
    .flatMap(filesIn)
    .filter(
      (file) => !/(^|\/)generated\/|^templates\/\w[\w-]*\/recordings\/|-samples\.json$|\.png$/.test(file),
    )
    .sort()
    .flatMap((file) => (/\.[cm]?[jt]sx?$/.test(file) ? textsOfSource(file) : linesOf(file)));
}

const filesIn = (path: string): string[] =>
  statSync(`${root}${path}`).isFile()
    ? [path]
    : readdirSync(`${root}${path}`, { withFileTypes: true }).flatMap(({ name }) =>
        filesIn(`${path}/${name}`),
      );

const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

const linesOf = (file: string): ProductText[] =>
  read(file)
    .split('\n')
    .map((text, at): ProductText => ({ file, line: at + 1, kind: 'text', text: text.trim() }))
    .filter(({ text }) => text !== '');

function textsOfSource(file: string, content = read(file)): ProductText[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: ProductText[] = [];
  const seen = new Set<number>();
  const add = (kind: ProductText['kind'], position: number, text: string): void => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    if (/\s/.test(text.trim())) found.push({ file, line, kind, text: text.replaceAll(/\s+/g, ' ').trim() });
  };
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(content, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      add('comment', pos, content.slice(pos, end).replaceAll(/^\/\*\*?|\*\/$|^\/\/|^\s*\*(?!\/)/gm, ''));
    }
    if (
      ts.isStringLiteral(node) &&
      !ts.isImportDeclaration(node.parent) &&
      !ts.isExportDeclaration(node.parent)
    )
      add('text', node.getStart(), node.text);
    if (ts.isNoSubstitutionTemplateLiteral(node)) add('text', node.getStart(), node.text);
    if (ts.isTemplateExpression(node))
      add('text', node.getStart(), content.slice(node.getStart() + 1, node.end - 1));
    if (ts.isJsxText(node)) add('text', node.getStart(), node.text);
    // Tokens too: a comment in an empty block belongs to its closing brace.
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return found;
}
