import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectFindings, expectFixesToEnd, expectSameTree } from '../manifest/laws.js';
import { mutatedText, nudgedText } from '../manifest/yaml/mutated-text.js';
import { expectHarmless } from '../manifest/yaml/run-bombs.js';

it('reads 100,000 mutated manifests without throwing, and reports only valid positions', () => {
  fc.assert(fc.property(mutatedText, expectFindings), { numRuns: 100_000 });
});

it('fixes each of 10,000 manifests in a few passes', () => {
  fc.assert(fc.property(mutatedText, expectFixesToEnd), { numRuns: 10_000 });
});

it('parses 100,000 manifests into the same tree with the fast reader and the YAML library', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(mutatedText, nudgedText), (text) => {
      if (expectSameTree(text)) read += 1;
    }),
    { numRuns: 100_000 },
  );
  process.stdout.write(`${read} of 100,000 were read without the library\n`);
  expect(read).toBeGreaterThan(10_000);
});

it('reports each manifest designed to stall a parser within 1 s and 256 MB, three times', async () => {
  await expectHarmless('all');
});
