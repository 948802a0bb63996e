import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createSampleFolders } from '../../src/dev/sample-folders.js';
import { integration } from '../emulator/emulator-under-test.js';

const withBlock = (id: string): (typeof integration)[] => [
  { ...integration, blocks: [{ id, title: `The ${id}`, urlUnfurl: [] }] },
];

it("adds the manifest's blocks to the sample page until the author changes the page", () => {
  const samples = createSampleFolders();
  const folder = samples.add(withBlock('clock'));
  const [start, events] = [join(folder, 'README.md'), join(folder, 'events.md')];
  expect(readFileSync(start, 'utf8')).toContain('\n{% @sample/clock %}\n');
  samples.revise(withBlock('bell'));
  expect(readFileSync(start, 'utf8')).toContain('{% @sample/bell %}');

  writeFileSync(start, 'mine');
  writeFileSync(events, 'mine too');
  samples.revise(withBlock('clock'));
  samples.revise(withBlock('bell'));
  expect([start, events].map((file) => readFileSync(file, 'utf8'))).toEqual(['mine', 'mine too']);
  samples.close();
  expect(existsSync(dirname(folder))).toBe(false);
});
