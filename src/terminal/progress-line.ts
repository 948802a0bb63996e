import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../base/clock.js';
import { renderFrameLine } from './frame-line.js';

/** Shows the next step. Lets other events run from time to time. If the command is interrupted, rejects with the reason. */
export type Step = (text: string) => Promise<void>;

/** Shows what a slow command is doing. */
export interface ProgressLine {
  step: Step;
  /** Removes the line. The next step shows it again. */
  end(): void;
}

interface ProgressOptions {
  /** Replaces the current line. Undefined if there is no terminal. */
  redraw: ((line: string) => void) | undefined;
  columns: number;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Absent while an interrupt simply ends the process. */
  interrupted(): AbortSignal | undefined;
}

/** Nothing is shown for work that takes less time than this. */
const firstMs = 1_000;
const betweenMs = 100;
/** The maximum delay before an interrupt is noticed. */
const turnMs = 50;

export function createProgressLine({ redraw, columns, clock, interrupted }: ProgressOptions): ProgressLine {
  let latest = '';
  let due: number | undefined;
  let shown = false;
  let waiting: AbortController | undefined;
  let turned = clock.monotonic();

  const draw = (): void => {
    due = clock.monotonic() + betweenMs;
    shown = true;
    redraw?.(renderFrameLine(latest, { width: columns - 1 }).text);
  };
  /** The next step may be a long time coming. */
  const drawLater = async (ms: number): Promise<void> => {
    if (waiting) return;
    waiting = new AbortController();
    const { signal } = waiting;
    try {
      await clock.sleep(ms, signal);
      waiting = undefined;
      draw();
    } catch {
      // The work has ended.
    }
  };

  return {
    async step(text) {
      const now = clock.monotonic();
      latest = text;
      if (redraw) {
        due ??= now + firstMs;
        if (now >= due) draw();
        else void drawLater(due - now);
      }
      if (now - turned >= turnMs) {
        await turn();
        turned = clock.monotonic();
      }
      interrupted()?.throwIfAborted();
    },
    end() {
      waiting?.abort();
      waiting = undefined;
      if (shown) redraw?.('');
      shown = false;
      due = undefined;
    },
  };
}
