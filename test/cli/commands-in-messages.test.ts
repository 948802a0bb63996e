import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { platformCommands, wrongCommand } from '../support/command-lines.js';

/** The strings in a source file. In templates, `[value]` replaces each expression. */
function stringsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const strings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) strings.push(node.text);
    else if (ts.isTemplateExpression(node))
      strings.push(
        node.head.text + node.templateSpans.map(({ literal }) => `[value]${literal.text}`).join(''),
      );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return strings;
}

/** Matches the beginning of a command, such as in `Save one with: platform state save <name>`. */
const command = /(?:^|[:`"'(] ?|\b(?:npx|run|with|or|and|use|see|to) )(?=platform(?:-webhooks)? [a-z-])/gi;
/** Matches a sentence about the platform, such as `platform is stopping`. */
const sentence = /^platform (?:is|has|was|could|stopped|requests|cannot|needs) /;
/** Matches a command whose name is computed, and the id of a running process. */
const computed = /^platform (?:webhook|start) \[value\]/;

const commandsIn = (text: string): string[][] =>
  [...text.matchAll(command)].flatMap(({ 0: before, index }) => {
    const [line = ''] = text.slice(index + before.length).split('\n');
    if (sentence.test(line) || computed.test(line)) return [];
    const end = /^(?:[^.,:"'`()]|[.,:](?=\S))*/.exec(line)?.[0] ?? '';
    return platformCommands(end.replaceAll(/<([\w-]+)>/g, '[$1]'));
  });

test('every command in a message exists and accepts its options', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
    .map((file) => `src/${file}`);
  const found = files.flatMap((file) =>
    stringsIn(file).flatMap((text) => commandsIn(text).map((words) => ({ file, words }))),
  );
  expect(found.length).toBeGreaterThan(200);
  expect(
    found.flatMap(({ file, words }) => {
      const wrong = wrongCommand(words);
      return wrong === undefined ? [] : [`${file}: ${wrong}`];
    }),
  ).toEqual([]);
});
