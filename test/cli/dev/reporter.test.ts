import { expect, test } from 'vitest';
import { createReporter } from '../../../src/cli/dev/reporter.js';
import { createStyle } from '../../../src/diagnostics/style.js';

test.each([
  [true, 'Waiting for a change. What worked last goes on answering.\n'],
  [false, ''],
])('a script that throws when it is loaded is told as such; where it waits: %s', (waits, end) => {
  let printed = '';
  const context = {
    style: createStyle(false),
    width: 80,
    cwd: '/',
    json: false,
    print: (text: string) => void (printed += text),
    emit: () => {},
  };
  createReporter(context, waits).tell({ type: 'broken-script', message: '1' });
  expect(printed).toBe(
    `\nerror The script was built, and failed when it was loaded:\n          error 1\n${end}`,
  );
});
