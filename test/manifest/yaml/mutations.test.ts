import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { amount } from '../../support/proved.js';
import { readPlainTree } from '../../../src/manifest/yaml/read-plain-tree.js';
import { expectFindings, expectFixesToEnd, expectSameTree } from '../laws.js';
import { mutatedText, nudgedText, seeds } from './mutated-text.js';
import { expectHarmless } from './run-bombs.js';

const numRuns = amount(500, 100_000);

it('reads arbitrary text without throwing, and reports only valid positions', () => {
  fc.assert(fc.property(mutatedText, expectFindings), { numRuns });
});

it('fixes arbitrary text in a few passes', () => {
  fc.assert(fc.property(mutatedText, expectFixesToEnd), { numRuns: amount(300, 10_000) });
});

it('parses arbitrary text into the same tree with the fast reader and the YAML library', () => {
  const plain = seeds.filter((seed) => readPlainTree(seed));
  expect(plain.length).toBeGreaterThan(5);
  const read = fc.sample(fc.oneof(mutatedText, nudgedText), numRuns).filter(expectSameTree);
  expect(read.length).toBeGreaterThan(numRuns / 20);
});

it('reads input designed to crash or stall a parser, three times in one process', async () => {
  await expectHarmless(amount(0, 1) === 1 ? 'all' : 'some');
});
