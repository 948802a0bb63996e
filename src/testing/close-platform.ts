import type { LocalWorld } from './local-world.js';
import type { FinishedTest, TestLog } from './test-platform.js';

/** Closes the platform, and reports problems that a test must not overlook. Closing it again does nothing. */
export function createClose(world: LocalWorld, name: () => string): (test?: FinishedTest) => Promise<void> {
  let closed = false;
  return async (test = {}) => {
    if (closed) return;
    closed = true;
    await close(world, name(), test);
  };
}

async function close(world: LocalWorld, name: string, test: FinishedTest): Promise<void> {
  await world.close();
  const { failures } = world.outside;
  const failed = test.task?.result?.state === 'fail' || test.passed === false;
  if (failed || failures.length > 0) printLogs(world.logs, name);
  if (failures.length === 0) return;
  const lines = [...new Set(failures)].map((failure) => `  ${failure}`);
  throw new Error([`The script of ${name} did something unexpected:`, ...lines].join('\n'));
}

export const print = (text: string): void => console.log(text);

function printLogs(logs: readonly TestLog[], name: string): void {
  if (logs.length === 0) return;
  const lines = logs.map(({ level, text }) => `  ${level.padEnd(5)} ${text.replaceAll('\n', '\n        ')}`);
  print([`The script of ${name} logged:`, ...lines].join('\n'));
}
