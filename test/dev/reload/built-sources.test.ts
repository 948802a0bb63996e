import { expect, test } from 'vitest';
import { createBuiltSources } from '../../../src/dev/reload/built-sources.js';

test('finds a source with special characters in its name by its path on disk', () => {
  const sources = createBuiltSources();
  sources.replace(JSON.stringify({ sources: ['src/%28auth%29/caf%C3%A9.ts'], sourcesContent: ['let a;'] }));
  expect(sources.of('src/(auth)/café.ts')).toBe('let a;');
});
