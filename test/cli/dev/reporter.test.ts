import { expect, test } from 'vitest';
import { createReporter } from '../../../src/cli/dev/reporter.js';
import { createStyle } from '../../../src/diagnostics/style.js';

const printer = (): { printed(): string; context: Parameters<typeof createReporter>[0] } => {
  let printed = '';
  return {
    printed: () => printed,
    context: {
      style: createStyle(false),
      width: 80,
      cwd: '/',
      json: false,
      print: (text: string) => void (printed += text),
      emit: () => {},
    },
  };
};

test.each([
  [true, 'Waiting for a change. What worked last goes on answering.\n'],
  [false, ''],
])('a script that throws when it is loaded is told as such; where it waits: %s', (waits, end) => {
  const { printed, context } = printer();
  createReporter(context, waits).tell({ type: 'broken-script', message: '1' });
  expect(printed()).toBe(
    `\nerror The script was built, and failed when it was loaded:\n          error 1\n${end}`,
  );
});

test('before the start is done, of the warnings only that of a long load is told', () => {
  const { printed, context } = printer();
  const { tell } = createReporter(context, true);
  tell({ type: 'warning', code: 'missing_scope', message: 'Later.' });
  tell({ type: 'warning', code: 'long-load', message: 'Now.' });
  expect(printed()).toBe('          warning Now.');
});
