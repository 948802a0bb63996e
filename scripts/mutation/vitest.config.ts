import { defineConfig } from 'vitest/config';
import everything from '../../vitest.config.js';

/** A mutant has to be noticed by the tests of its own room. */
export default defineConfig({
  ...everything,
  test: {
    testTimeout: 20_000,
    // A thousand runs of a few tests each: what loads the modules takes longest.
    isolate: false,
    include: [`test/${process.env['MUTATION_ROOM']}/**/*.test.{ts,tsx}`],
    // Thousands of random cases, or other languages, for each of a thousand mutants.
    exclude: ['test/**/*-{agreement,clients,mutations}.test.ts'],
  },
});
