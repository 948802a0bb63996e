import { systemClock, type Timers } from '../../base/clock.js';
import { withTimeout } from '../../base/deadlines.js';
import type { ScriptProcess } from '../process/script-process.js';

/** How long `waitUntil` work may continue once no calls are left. */
export const WAIT_UNTIL_MS = 10_000;
/** A process counts as stuck if its event loop does not respond within this time. */
const STUCK_AFTER_MS = 1000;
const READ_MS = 10;

/** A process that serves or has served calls, and its unfinished calls. */
export class LoadedProcess {
  readonly process: ScriptProcess;
  /** Whether the process has completed a call. If so, the end of the process does not count toward a crash loop. */
  hasServed = false;
  /** Whether only `waitUntil` work keeps the process from ending. */
  isDraining = false;
  readonly #timers: Timers;
  #calls = 0;
  #waiting: (() => void)[] = [];
  #check: Promise<void> | undefined;

  constructor(process: ScriptProcess, timers: Timers) {
    this.process = process;
    this.#timers = timers;
  }

  /** Keeps the process alive for a call until `leave` is called. */
  enter(): void {
    this.#calls += 1;
  }

  leave(): void {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * A process that may be stuck or about to end receives no more calls. Resolves once the process has responded or
   * ended. Returns undefined if there is no sign of a problem.
   */
  inDoubt(): Promise<unknown> | undefined {
    return this.#check ?? (this.process.isLost() ? this.process.exited : undefined);
  }

  /**
   * Ends the process if its event loop is blocked, for example by an infinite loop. Slow asynchronous work
   * does not block it.
   */
  endIfStuck(): void {
    this.#check ??= this.#endIfStuck().finally(() => (this.#check = undefined));
  }

  /** Waits until the process has finished its calls and their `waitUntil` work, and then ends the process. */
  async retire(patienceMs: number): Promise<void> {
    const idle = new Promise<void>((resolve) =>
      this.#calls === 0 ? resolve() : this.#waiting.push(resolve),
    );
    await withTimeout(this.#timers, patienceMs, Promise.race([idle, this.process.exited]), 'late');
    this.isDraining = true;
    await withTimeout(this.#timers, WAIT_UNTIL_MS, this.process.drain(), 'late');
    this.isDraining = false;
    await this.process.end();
  }

  async #endIfStuck(): Promise<void> {
    if (!this.process.blocked() && (await this.#responds())) return;
    this.process.kill('its event loop was blocked, so the platform stopped it');
    await this.process.exited;
  }

  async #responds(): Promise<boolean> {
    const ping = this.process.ping();
    const first = await withTimeout(this.#timers, STUCK_AFTER_MS, ping, 'late');
    // If the platform itself was blocked, the reply may have arrived but not been read yet.
    return first !== 'late' || (await withTimeout(systemClock, READ_MS, ping, 'late')) !== 'late';
  }
}
