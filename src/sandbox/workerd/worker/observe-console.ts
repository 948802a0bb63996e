import { currentScope, type CallScope } from '../../observe/call-scope.js';
import { createLineRateLimit, droppedNotice, type LineRateLimit } from '../../observe/line-rate-limit.js';
import { markArguments } from '../line-mark.js';

type Level = 'debug' | 'log' | 'info' | 'warn' | 'error';

/** Truncates longer text, because the log does not store that much. */
const LONGEST = 64 * 1024;

/** Marks the script's output with the call id, and limits how much the script can print. */
export function observeConsole(target: Console) {
  const { debug, log, info, warn, error } = target;
  const writers = { debug, log, info, warn, error };
  const limits = new WeakMap<CallScope, LineRateLimit>();
  const outside = createLineRateLimit({ refillPerSecond: 100, now: () => performance.now() });

  const write = (level: Level, callId: string | undefined, args: readonly unknown[]): void =>
    writers[level].apply(target, markArguments(callId, args));

  const print = (level: Level, args: readonly unknown[]): void => {
    const scope = currentScope();
    const limit = (scope && limits.get(scope)) ?? outside;
    const cut = args.map((value) => (typeof value === 'string' ? value.slice(0, LONGEST) : value));
    const length = cut.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
      0,
    );
    const before = limit.dropped();
    if (!limit.take(length, true)) return;
    if (before > 0) write('warn', scope?.id, [droppedNotice(before)]);
    write(level, scope?.id, cut);
  };

  for (const level of Object.keys(writers) as Level[])
    target[level] = (...args: unknown[]) => print(level, args);
  // These methods have no effect in workerd.
  target.trace = (...args) => {
    const stack = new Error('').stack?.replace(/^.*\n.*/, '') ?? '';
    print('error', ['Trace:', ...args, stack]);
  };
  target.assert = (condition, ...args) => {
    if (condition !== true) print('warn', ['Assertion failed', ...args]);
  };
  target.dir = (value) => print('log', [value]);
  target.group = (...label) => {
    if (label.length > 0) print('log', label);
  };

  return {
    write,
    /** When a call ends, reports how many of its lines were dropped. */
    countDropped(scope: CallScope) {
      const limit = createLineRateLimit({ refillPerSecond: 0, now: () => performance.now() });
      limits.set(scope, limit);
      scope.onEnd.add(() => {
        if (limit.dropped() > 0) write('warn', scope.id, [droppedNotice(limit.dropped())]);
      });
    },
  };
}
