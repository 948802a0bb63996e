import { defineConfig } from 'vitest/config';
import everything from '../../vitest.config.js';

/** Only the tests of a room have to detect its mutants. */
export default defineConfig({
  ...everything,
  test: {
    // Many mutants make a test hang. The slowest test of a room takes less than two seconds.
    testTimeout: 5000,
    hookTimeout: 5000,
    // There are a thousand runs of a few tests each, and loading the modules takes most of the time.
    isolate: false,
    include: [`test/${process.env['MUTATION_ROOM']}/**/*.test.{ts,tsx}`],
    // Leaves out tests that take long for each of a thousand mutants: those with thousands of random cases
    // and those in other languages.
    exclude: ['test/**/*-{agreement,clients,mutations}.test.ts'],
  },
});
