import type { CallLine } from '../../../contract/routes/calls.js';

type Read = (query: { after?: number; limit?: number; ids?: string }) => Promise<CallLine[]>;

/** How many calls are remembered, so that each is listed only once. */
const mostRemembered = 10_000;
const pageSize = 500;
/** The number of ids that fit in a URL. */
const mostAsked = 300;

/**
 * Remembers which calls have been shown. The stream stores only 4,096 events. A client that falls further behind receives
 * `reset`, and must then read the missed calls from the log.
 */
export class FollowedCalls {
  readonly #read: Read;
  /** All calls up to this position have been shown or are still running. */
  #position: number;
  readonly #running = new Set<string>();
  /** The ids of calls that have been shown, oldest first. */
  readonly #shown = new Set<string>();

  constructor(read: Read, listed: readonly CallLine[]) {
    this.#read = read;
    this.#position = listed.at(-1)?.position ?? 0;
    for (const { id, outcome } of listed) (outcome === 'running' ? this.#running : this.#shown).add(id);
  }

  started(id: string): void {
    this.#running.add(id);
  }

  async finished(id: string): Promise<boolean> {
    this.#running.delete(id);
    if (this.#shown.has(id)) return false;
    this.#shown.add(id);
    if (this.#shown.size > mostRemembered) await this.#forgetOldest();
    return true;
  }

  /** Returns finished calls that the stream did not report and that are still to be shown. */
  async missed(): Promise<CallLine[]> {
    const known = [...this.#running].slice(0, mostAsked).join(',');
    const found = this.#takeFinished(known === '' ? [] : await this.#read({ ids: known }));
    for (;;) {
      const page = await this.#read({ after: this.#position, limit: pageSize });
      this.#position = page.at(-1)?.position ?? this.#position;
      found.push(...this.#takeFinished(page));
      if (page.length < pageSize) return found;
    }
  }

  #takeFinished(lines: readonly CallLine[]): CallLine[] {
    return lines.filter(({ id, outcome }) => {
      if (outcome === 'running') this.#running.add(id);
      if (outcome === 'running' || this.#shown.has(id)) return false;
      this.#running.delete(id);
      this.#shown.add(id);
      return true;
    });
  }

  /** The calls up to the last forgotten one all started earlier, so the stream has already reported them. */
  async #forgetOldest(): Promise<void> {
    const oldest = [...this.#shown].slice(0, mostRemembered / 2);
    for (const id of oldest) this.#shown.delete(id);
    const [line] = await this.#read({ ids: oldest.at(-1) ?? '' });
    this.#position = Math.max(this.#position, line?.position ?? 0);
  }
}
