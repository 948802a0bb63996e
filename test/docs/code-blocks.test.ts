import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { allPages, at, readBlocks, readPage, repository, type CodeBlock } from '../support/code-blocks.js';
import {
  codeLanguages as code,
  isProblemPage,
  treatmentOf,
  type Treatment,
} from '../support/block-treatment.js';
import { platformCommands, wrongCommand } from '../support/command-lines.js';
import { syntaxErrors } from '../support/type-check.js';

const pages = allPages();
const blocks = pages.flatMap((page) => readBlocks(page));

const withTreatment = (treatment: Treatment, ...languages: string[]): CodeBlock[] =>
  blocks.filter((block) => treatmentOf(block) === treatment && languages.includes(block.language));

const schemas: Record<string, string> = {
  '# platform-manifest.yaml': 'platform-manifest',
  '# platform.dev.yaml': 'platform-dev',
};

function yamlErrors(block: CodeBlock): string[] {
  const [errors, value] = (() => {
    const document = parseDocument(block.code);
    return [document.errors.map(({ message }) => message), document.toJS() as unknown];
  })();
  const schema = schemas[block.code.split('\n')[0] ?? ''];
  if (errors.length > 0 || !schema) return errors;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const text = readFileSync(join(repository, `schemas/${schema}.schema.json`), 'utf8');
  ajv.validate(JSON.parse(text), value);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function jsonErrors({ code: text, language }: CodeBlock): string[] {
  const documents = language === 'ndjson' ? text.split('\n').filter(Boolean) : [text];
  return documents.flatMap((document) => {
    try {
      JSON.parse(document);
      return [];
    } catch (error) {
      return [String(error)];
    }
  });
}

function runParser(program: string, args: string[], input: string): string[] {
  const { status, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (error) return [error.message];
  return status === 0 ? [] : [stderr];
}

/** A transcript without what the commands print. */
const commandsOf = ({ code: text, language }: CodeBlock): string =>
  language === 'console' ? text.replaceAll(/^(?!\$ ).*$/gm, '') : text;

const errorsIn = (checked: CodeBlock[], check: (block: CodeBlock) => string[]): string[] =>
  checked.flatMap((block) => check(block).map((message) => `${at(block)}: ${message}`));

beforeAll(() => {
  const counts = new Map<string, number>();
  for (const block of blocks) {
    const treatment = treatmentOf(block) ?? 'not covered';
    counts.set(treatment, (counts.get(treatment) ?? 0) + 1);
  }
  const list = [...counts].map(([treatment, count]) => `${count} ${treatment}`).join(', ');
  console.log(`code blocks: ${blocks.length} in ${pages.length} pages: ${list}`);
});

test('shows the file name of every code block', () => {
  const hidden = pages.filter((page) => /^<!-- (?:file|append): /m.test(readPage(page)));
  expect(hidden).toEqual([]);
});

test('runs, compiles or parses every code block, unless it is output or marked with a reason', () => {
  const left = blocks.filter((block) => treatmentOf(block) === undefined);
  expect(left.map((block) => `${at(block)} ${block.language} ${block.mark?.name ?? ''}`)).toEqual([]);
});

test('every project fragment in the docs has valid syntax', () => {
  const wrongOnPurpose = 'const label = ;\n';
  const fragments = withTreatment('parsed', ...code).filter(
    ({ page, code: text }) => !isProblemPage(page) || text !== wrongOnPurpose,
  );
  expect(
    errorsIn(fragments, ({ code: text, language }) => syntaxErrors(text.replaceAll('…', ''), language)),
  ).toEqual([]);
});

test('every YAML, JSON, Python and shell code block has valid syntax', () => {
  const examples = withTreatment('parsed', 'yaml').filter(({ page }) => !isProblemPage(page));
  expect(errorsIn(examples, yamlErrors)).toEqual([]);
  expect(errorsIn(withTreatment('parsed', 'json', 'ndjson'), jsonErrors)).toEqual([]);
  const compile = 'import sys; compile(sys.stdin.read(), "block", "exec")';
  if (spawnSync('python3', ['--version']).status === 0)
    expect(
      errorsIn(withTreatment('parsed', 'python'), (block) =>
        runParser('python3', ['-c', compile], block.code),
      ),
    ).toEqual([]);
  expect(errorsIn(withTreatment('parsed', 'sh'), (block) => runParser('sh', ['-n'], block.code))).toEqual([]);
});

test('every platform command in a code block or sentence exists and accepts its options', () => {
  const inBlocks = blocks
    .filter(({ language, page }) => ['sh', 'console'].includes(language) && page !== 'CHANGELOG.md')
    .flatMap((block) => platformCommands(commandsOf(block)).map((words) => ({ where: at(block), words })));
  const inSentences = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...readPage(page).matchAll(/(?<!`)`((?:npx )?platform(?:-webhooks)? [^`]+)`(?!`)/g)].flatMap(
        ([, text = '']) =>
          platformCommands(text.replaceAll('\n', ' ')).map((words) => ({ where: page, words })),
      ),
    );
  const all = [...inBlocks, ...inSentences];
  console.log(`platform commands: ${inBlocks.length} in blocks, ${inSentences.length} in sentences`);
  const wrong = all.flatMap(({ where, words }) => {
    const reason = wrongCommand(words);
    return reason ? [`${where}: ${reason}`] : [];
  });
  expect(wrong).toEqual([]);
});

test('no two guides listen on the same port, because they run at the same time', () => {
  const guides = pages.filter((page) => page.startsWith('docs/guides/'));
  const taken = guides.flatMap((page) => [
    ...new Set([...readPage(page).matchAll(/(?:port |listen\()(4[1-9]\d\d)\b/g)].map(([, port]) => port)),
  ]);
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.filter((port, at) => taken.indexOf(port) !== at)).toEqual([]);
});
