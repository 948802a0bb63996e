import { join } from 'node:path';
import { expect, test } from 'vitest';
import { treatmentOf } from '../support/block-treatment.js';
import { allPages, contextOf, readBlocks, repository, type CodeBlock } from '../support/code-blocks.js';
import { typeErrors } from '../support/type-check.js';

test('code fragments in the docs have the right types', () => {
  const fragments = allPages()
    .flatMap((page) => readBlocks(page))
    .filter((block) => treatmentOf(block) === 'compiled');
  const origins = new Map<string, { block: CodeBlock; before: number }>();
  const files = new Map<string, string>();
  for (const block of fragments) {
    // A fragment that imports something is complete.
    const context = /^import /m.test(block.code) ? '' : contextOf(block.page);
    const extension = block.language === 'ts' ? 'ts' : block.language.replace(/^jsx?$/, 'jsx');
    const file = join(
      repository,
      'test/guides',
      `${block.page.replaceAll(/\W/g, '-')}-${block.line}.${extension}`,
    );
    // In braces, so that the fragment can declare a name of the context again.
    const braces = context !== '' && !/^export /m.test(block.code);
    files.set(file, `${context}${braces ? `{${block.code}}` : block.code}export {};\n`);
    origins.set(file, { block, before: context.split('\n').length });
  }
  const errors = typeErrors(files).map(({ file, line, message }) => {
    const { block, before } = origins.get(file) ?? {};
    return `${block?.page}:${(block?.line ?? 0) + line - (before ?? 0)}: ${message}`;
  });
  console.log(`fragments: ${fragments.length} compiled`);
  expect(errors).toEqual([]);
});
