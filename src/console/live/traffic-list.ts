import { createCell, type Cell } from '../parts/cell.js';
import type { TrafficLine } from './traffic-entry.js';

export interface TrafficFilter {
  type: string;
  failed: boolean;
  search: string;
}

export const noFilter: TrafficFilter = { type: '', failed: false, search: '' };

export interface TrafficView {
  /** Newest first. */
  lines: readonly TrafficLine[];
  loading: boolean;
  /** All older ones are here. */
  complete: boolean;
  error?: string;
}

/** Calls as they come, and older ones a page at a time. */
export interface TrafficList {
  view: Cell<TrafficView>;
  filter: Cell<TrafficFilter>;
  setFilter(filter: TrafficFilter): void;
  older(): void;
  /** Takes what the live stream tells of a call. */
  put(line: TrafficLine): void;
  /** Begins anew: something may have been missed. */
  reload(): void;
}

export type LoadPage = (
  filter: TrafficFilter,
  before: number | undefined,
) => Promise<({ position: number } & TrafficLine)[]>;

export const pageSize = 500;

export function createTrafficList(loadPage: LoadPage, schedule: (draw: () => void) => void): TrafficList {
  const filter = createCell<TrafficFilter>(noFilter);
  const view = createCell<TrafficView>({ lines: [], loading: true, complete: false });
  /** Oldest first. */
  let lines: TrafficLine[] = [];
  let index = new Map<string, number>();
  let oldest: number | undefined;
  let generation = 0;
  let loading = false;
  let complete = false;
  let drawing = false;

  /** A flood of calls is drawn once a frame. */
  const draw = (): void => {
    if (drawing) return;
    drawing = true;
    schedule(() => {
      drawing = false;
      view.set({ lines: lines.toReversed(), loading, complete });
    });
  };

  const load = async (): Promise<void> => {
    if (loading || complete) return;
    const mine = generation;
    loading = true;
    try {
      const page = await loadPage(filter.get(), oldest);
      if (mine !== generation) return;
      lines = [...page.filter(({ id }) => !index.has(id)), ...lines];
      index = new Map(lines.map(({ id }, at) => [id, at]));
      oldest = page[0]?.position ?? oldest;
      complete = page.length < pageSize;
      loading = false;
      draw();
    } catch (error) {
      if (mine !== generation) return;
      loading = false;
      view.set({ ...view.get(), loading, error: error instanceof Error ? error.message : String(error) });
    }
  };

  const reload = (): void => {
    generation += 1;
    lines = [];
    index = new Map();
    oldest = undefined;
    loading = false;
    complete = false;
    void load();
  };

  return {
    view,
    filter,
    setFilter(next) {
      filter.set(next);
      reload();
    },
    older: () => void load(),
    put(line) {
      const at = index.get(line.id);
      if (at !== undefined) lines[at] = line;
      else if (matches(line, filter.get())) {
        index.set(line.id, lines.length);
        lines.push(line);
      } else return;
      draw();
    },
    reload,
  };
}

function matches(line: TrafficLine, { type, failed, search }: TrafficFilter): boolean {
  if (type !== '' && line.type !== type) return false;
  if (failed && line.outcome !== 'failed') return false;
  const wanted = search.toLowerCase();
  return [line.type, line.subject, line.url, line.error].some(
    (text) => text?.toLowerCase().includes(wanted) ?? false,
  );
}
