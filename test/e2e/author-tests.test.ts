import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authorProject, newProject, runIn, vitest, writeRecipe } from '../support/author-project.js';

test("a chat integration's tests for accounts, visitors, messages, tasks and webhooks pass", async () => {
  const folder = authorProject('chat');
  const [types, run] = await Promise.all([
    runIn(folder, ['node_modules/typescript/bin/tsc']),
    runIn(folder, vitest),
  ]);
  expect(types).toEqual({ code: 0, output: '' });
  expect(run.output).toMatch(/Tests +17 passed/);
  // What the script logs is shown for failing tests alone.
  expect(run.output).not.toContain('logged:');
});

test.each([
  ['vitest', vitest, /Tests +1 passed/],
  ['node:test', ['--test', 'test/counter.test.mjs'], /pass 1\b/],
])("the guide's test recipe for %s passes, and prints logs if it fails", async (runner, args, passed) => {
  const folder = await newProject('block');
  writeRecipe(folder, runner);
  const run = await runIn(folder, args);
  expect(run.output).toMatch(passed);
  expect([run.code, run.output.includes('logged:')]).toEqual([0, false]);

  breakBlock(folder);
  const broken = await runIn(folder, args);
  expect(broken.code).toBe(1);
  expect(broken.output).toContain('The script of own logged:\n');
  expect(broken.output).toContain('info  a press');
});

/** Its presses do nothing but log. */
function breakBlock(folder: string): void {
  const file = join(folder, 'src/counter.tsx');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(
      "case 'add':",
      "case 'add':\n        console.log('a press');\n        return {};\n      case 'more':",
    ),
  );
}
