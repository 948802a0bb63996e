import { expect, it } from 'vitest';
import type { CallRecord, ProblemSummary } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';
import { eachStore } from '../each-store.js';
import { processorMs } from '../../support/processor-time.js';

const bad = (
  id: string,
  time: number,
  reason: string,
  more: Partial<CallRecord> = {},
  line = 1,
): CallRecord =>
  callEntry(id, {
    time,
    verdict: { severity: 'error', reason, at: { file: 'src/index.ts', line, column: 3 } },
    ...more,
  });
const warned = (id: string, time: number, reason: string, more: Partial<CallRecord> = {}): CallRecord =>
  callEntry(id, { time, verdict: { severity: 'warning', reason }, ...more });

const short = ({ groups }: ProblemSummary) =>
  groups.map(({ severity, calls, current, first, last, newest }) => [
    severity,
    calls,
    current,
    first,
    last,
    newest.id,
  ]);

eachStore((store) => {
  it('reports no problems if no call has failed', () => {
    const { callLog } = store.open();
    callLog.record(callEntry('a'));
    callLog.record(callEntry('b', { outcome: 'running' }));
    expect(callLog.problems({ version: 1, limit: 10 })).toEqual({
      errors: { current: 0, all: 0 },
      warnings: { current: 0, all: 0 },
      groups: [],
    });
  });

  it('does not count calls that the console makes to show a block', () => {
    const { callLog } = store.open();
    callLog.record(bad('a', 10, 'Error: no'));
    callLog.record(bad('b', 20, 'Error: no', { cause: { type: 'display' } }));
    callLog.record(bad('c', 30, 'Error: other', { cause: { type: 'display' } }));
    const found = callLog.problems({ version: 1, limit: 10 });
    expect(found.errors).toEqual({ current: 1, all: 1 });
    expect(short(found)).toEqual([['error', 1, 1, 10, 10, 'a']]);
    expect(callLog.list({ severity: ['error'] })).toHaveLength(3);
  });

  it('groups problems by severity, reason and line, with current problems first', () => {
    const { callLog } = store.open();
    callLog.record(bad('a', 10, 'Error: no'));
    callLog.record(bad('b', 20, 'Error: no (and 2 more)', { version: 2 }));
    callLog.record(bad('c', 30, 'Error: no', {}, 2));
    callLog.record(warned('d', 40, 'GET https://api.example.com/ responded with 500', { version: 2 }));
    callLog.record(warned('e', 50, 'Error: no'));
    callLog.record(callEntry('f', { time: 60, version: 2 }));
    // States of older versions have no verdict.
    callLog.record(callEntry('g', { time: 70, outcome: 'failed', error: 'Old' }));
    const found = callLog.problems({ version: 2, limit: 10 });
    expect(found.errors).toEqual({ current: 1, all: 4 });
    expect(found.warnings).toEqual({ current: 1, all: 2 });
    expect(short(found)).toEqual([
      ['error', 2, 1, 10, 20, 'b'],
      ['warning', 1, 1, 40, 40, 'd'],
      ['error', 1, 0, 70, 70, 'g'],
      ['error', 1, 0, 30, 30, 'c'],
      ['warning', 1, 0, 50, 50, 'e'],
    ]);
    expect(found.groups[0]?.newest).toMatchObject({ id: 'b', version: 2, verdict: { severity: 'error' } });
  });

  it('groups problems on one line that differ only in ids and numbers, and lists frequent ones first', () => {
    const { callLog } = store.open();
    callLog.record(bad('a', 10, 'Order ord_41 is closed after 3 days.'));
    callLog.record(bad('b', 20, 'Order 5f0c-77 is closed after 20 days.'));
    callLog.record(bad('c', 30, 'Order 9 is late.'));
    // Without a line, the number may be all that distinguishes two problems.
    callLog.record(warned('d', 40, 'Responded with 500'));
    callLog.record(warned('e', 50, 'Responded with 404'));
    expect(short(callLog.problems({ version: 1, limit: 10 }))).toEqual([
      ['error', 2, 2, 10, 20, 'b'],
      ['error', 1, 1, 30, 30, 'c'],
      ['warning', 1, 1, 50, 50, 'e'],
      ['warning', 1, 1, 40, 40, 'd'],
    ]);
  });

  it('counts all failed calls even if only a few groups are returned', () => {
    const { callLog } = store.open();
    for (let i = 0; i < 1200; i += 1) callLog.record(bad(`e${i}`, i, 'Error: no', {}, i % 3));
    callLog.record(warned('w', 2000, 'slow'));
    const found = callLog.problems({ version: 1, limit: 2 });
    expect([found.errors.all, found.warnings.all]).toEqual([1200, 1]);
    expect(short(found)).toEqual([
      ['error', 400, 400, 2, 1199, 'e1199'],
      ['error', 400, 400, 1, 1198, 'e1198'],
    ]);
  });

  it("updates a group when a call's problem appears, changes or is deleted", () => {
    const { callLog } = store.open({ entries: 2 });
    const reasons = (): string[] =>
      callLog
        .problems({ version: 1, limit: 10 })
        .groups.map(({ calls, newest }) => `${calls} ${newest.verdict?.reason}`);
    callLog.record(callEntry('a', { outcome: 'running' }));
    callLog.flush();
    expect(reasons()).toEqual([]);
    callLog.record(bad('a', 0, 'first'));
    callLog.flush();
    expect(reasons()).toEqual(['1 first']);
    callLog.record(bad('a', 0, 'second'));
    callLog.record(bad('b', 1, 'second'));
    expect(reasons()).toEqual(['2 second']);
    callLog.record(callEntry('c'));
    callLog.flush();
    expect(reasons()).toEqual(['1 second']);
    callLog.record(callEntry('d'));
    callLog.flush();
    expect(reasons()).toEqual([]);
  });

  it('counts and groups 10,000 failed calls without reading each of them', () => {
    const { callLog } = store.open();
    const logs: CallRecord['logs'] = [{ level: 'info', text: 'x'.repeat(2000), time: 1 }];
    for (let i = 0; i < 10_000; i += 1) callLog.record(bad(`e${i}`, i, 'Error: no', { logs }, i % 40));
    callLog.flush();
    const group = () => expect(callLog.problems({ version: 1, limit: 100 }).groups).toHaveLength(40);
    // Parsing every call takes over 100 ms.
    expect(processorMs(group, 9)).toBeLessThan(40);
  });

  it('finds the calls of a group by version, reason and position', () => {
    const { callLog } = store.open();
    callLog.record(bad('a', 1, 'Error: no'));
    callLog.record(bad('b', 2, 'Error: no (and 1 more)', { version: 2 }, 12));
    callLog.record(warned('c', 3, 'Error: "no"', { version: 2 }));
    const ids = (filter: Parameters<typeof callLog.list>[0]): string[] =>
      callLog.list(filter).map(({ call }) => call.id);
    expect(ids({ version: 2 })).toEqual(['b', 'c']);
    expect(ids({ reason: 'error: no' })).toEqual(['a', 'b']);
    expect(ids({ reason: '"no"' })).toEqual(['c']);
    expect(ids({ at: 'src/index.ts:1' })).toEqual(['a']);
    expect(ids({ at: 'src/index.ts' })).toEqual(['a', 'b']);
    expect(callLog.count({ version: 2, severity: ['error'], reason: 'no', at: 'src/index.ts:12' })).toBe(1);
  });
});
