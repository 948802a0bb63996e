import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Range } from '../../src/diagnostics/model/diagnostic.js';
import { applyFixes, parseManifest, rules } from '../../src/manifest/index.js';
import { validate } from '../../src/manifest/generated/validate-manifest.js';
import { composeTree } from '../../src/manifest/yaml/compose-tree.js';
import { readPlainTree } from '../../src/manifest/yaml/read-plain-tree.js';
import { toValue } from '../../src/manifest/yaml/tree.js';

const codes = new Set(rules.map(({ code }) => code));

/** What holds for every text: findings have a known code and a place in it; what the schema refuses is told. */
export function expectFindings(text: string): void {
  const { ok, diagnostics, source } = parseManifest(text);
  const lines = source.text.split('\n').map((line) => line.length + 1);
  const inside = ({ start, end }: Range): boolean =>
    [start, end].every(({ line, column }) => column >= 1 && column <= (lines[line - 1] ?? 0)) &&
    (start.line < end.line || (start.line === end.line && start.column <= end.column));
  for (const { code, range, message } of diagnostics) {
    if (!codes.has(code) || message === '') expect.fail(`${code} is not known, or says nothing.`);
    if (!range || !inside(range)) expect.fail(`${code} has no place in the file: ${JSON.stringify(range)}`);
  }
  const refused = diagnostics.some(({ severity }) => severity === 'error');
  if (ok === refused) expect.fail('A manifest is refused when it has an error, and only then.');
  const { root } = composeTree(source.text);
  if (ok && root && !validate(toValue(root))) expect.fail('The schema refuses it, and nothing tells why.');
}

/** Fixing comes to an end, and what is fixed is read as before. */
export function expectFixesToEnd(text: string): void {
  let fixed = text;
  for (let round = 0; round < 10; round++) {
    const next = applyFixes(fixed, parseManifest(fixed).diagnostics);
    if (next === fixed) return;
    fixed = next;
  }
  expect.fail('Fixing goes on and on.');
}

/** The reader of everyday YAML answers what the library answers, or nothing. True where it answers. */
export function expectSameTree(text: string): boolean {
  const plain = readPlainTree(text);
  if (!plain) return false;
  const { root, problems } = composeTree(text);
  if (problems.length > 0 || !isDeepStrictEqual(plain, root)) expect(plain).toEqual(root);
  return true;
}
