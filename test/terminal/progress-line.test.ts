import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createProgressLine } from '../../src/terminal/progress-line.js';

function start({ terminal = true } = {}) {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const interrupt = new AbortController();
  const progress = createProgressLine({
    redraw: terminal ? (line) => void lines.push(line) : undefined,
    columns: 20,
    clock,
    interrupted: () => interrupt.signal,
  });
  return { clock, lines, interrupt, progress };
}

test('shows no progress for work that takes less than a second', async () => {
  const { clock, lines, progress } = start();
  for (let n = 0; n < 9; n += 1) {
    await progress.step(`file ${n}`);
    await clock.advance(100);
  }
  progress.end();
  await clock.advance(5_000);
  expect(lines).toEqual([]);
  expect(clock.waiting().count).toBe(0);
});

test('shows the latest progress step after a second, updates it at most ten times per second, then removes it', async () => {
  const { clock, lines, progress } = start();
  for (let n = 0; n < 1_999; n += 1) {
    await progress.step(`file ${n}`);
    await clock.advance(1);
  }
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('file 999');
  progress.end();
  expect(lines.at(-1)).toBe('');
  await clock.advance(5_000);
  expect(lines).toHaveLength(11);
});

test('shows the first step of each task only after a second', async () => {
  const { clock, lines, progress } = start();
  await progress.step('first');
  await clock.advance(5_000);
  progress.end();
  await progress.step('second');
  await clock.advance(900);
  expect(lines).toEqual(['first', '']);
  await clock.advance(100);
  expect(lines).toEqual(['first', '', 'second']);
});

test('truncates a progress line to the terminal width, and shows control characters', async () => {
  const { clock, lines, progress } = start();
  await progress.step(`Reading \u001B[2J\n${'x'.repeat(50)}`);
  await clock.advance(1_000);
  expect(lines).toEqual(['Reading \u241B[2J\u240Axxxx…']);
});

test('shows no progress without a terminal, but can still be interrupted', async () => {
  const { clock, lines, interrupt, progress } = start({ terminal: false });
  await progress.step('first');
  await clock.advance(5_000);
  interrupt.abort('SIGINT');
  await expect(progress.step('second')).rejects.toBe('SIGINT');
  expect(lines).toEqual([]);
  expect(clock.waiting().count).toBe(0);
});
