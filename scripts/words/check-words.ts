import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { bannedWords, cleanPaths, proseHabits, type BannedWord } from './banned-words.js';
import { productTexts, type ProductText } from './product-texts.js';

/** Words in code, codes and addresses are names, not text. */
const withoutCode = (text: string): string =>
  text.replaceAll(/`[^`]*`|\$\{[^}]*\}|\]\([^)]*\)|\b[a-z]+\/[a-z-]+/g, '…');

const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');

/** The lines of a page that a person reads as text: no code blocks, no comments. */
function proseOf(file: string): ProductText[] {
  let code = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index): ProductText[] => {
      const fence = /^ *```/.test(line);
      if (fence) code = !code;
      if (code || fence || line.trim() === '' || /^ *<!--/.test(line)) return [];
      return [{ file, line: index + 1, kind: 'text', text: line.trim() }];
    });
}

const testFunctions = new Set(['test', 'it', 'describe']);

/** The names of tests: the first argument of `test(…)`, `it.each(…)(…)` and the like. */
function testNamesOf(file: string): ProductText[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: ProductText[] = [];
  const calledName = (node: ts.Node): string =>
    ts.isIdentifier(node)
      ? node.text
      : ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)
        ? calledName(node.expression)
        : '';
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && testFunctions.has(calledName(node.expression))) {
      const [name] = node.arguments;
      if (name && (ts.isStringLiteral(name) || ts.isNoSubstitutionTemplateLiteral(name)))
        found.push({
          file,
          line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1,
          kind: 'text',
          text: name.text,
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A comment `words: refuse` on the line or the line above allows that word there. */
function isAllowed({ file, line }: ProductText, word: string): boolean {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(Math.max(0, line - 2), line);
  return lines.some((text) => text.includes(`words: ${word.toLowerCase()}`));
}

function problemsIn(texts: readonly ProductText[], words: readonly BannedWord[]): string[] {
  return texts.flatMap((text) => {
    const shown = withoutCode(text.text);
    return words.flatMap(({ word, better, except = [] }) => {
      const [hit] = word.exec(shown) ?? [];
      if (hit === undefined || except.some((one) => text.file.startsWith(one))) return [];
      if (isAllowed(text, hit)) return [];
      return [`${text.file}:${text.line}: "${hit.trim()}": write ${better}. ${shown.slice(0, 140)}`];
    });
  });
}

// The changelog and the reference pages repeat texts of the sources or of earlier versions.
const prose = tracked('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**.md', 'skills')
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/reference/'))
  .flatMap(proseOf);
const names = tracked('test/**.test.ts', 'test/**.test.tsx').flatMap(testNamesOf);
const texts = productTexts(cleanPaths);

const problems = [...problemsIn(texts, bannedWords), ...problemsIn([...prose, ...names], proseHabits)];
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  console.error(
    `${problems.length} words to change. Where one is right, allow it with a comment: words: <word>`,
  );
process.exitCode = problems.length > 0 ? 1 : 0;
