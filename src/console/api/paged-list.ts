import { errorMessage } from '../../base/text/error-message.js';
import { createCell, type Cell } from '../ui/state/observable-cell.js';

export interface PagedView<Line> {
  /** Lines, newest first. */
  lines: readonly Line[];
  loading: boolean;
  /** Whether all older lines have been loaded. */
  complete: boolean;
  error?: string;
}

/** A list that grows at both ends, with live updates at one end and pages of older lines at the other. */
export interface PagedList<Line, Filter> {
  view: Cell<PagedView<Line>>;
  filter: Cell<Filter>;
  setFilter(filter: Filter): void;
  older(): void;
  /** Adds a line from the live stream, or updates it. By default, the filter decides whether a new line is shown. */
  put(line: Line, isMatch?: boolean): void;
  /** Reads the list again, because an update may have been missed. */
  reload(): void;
}

interface PagedListOptions<Line, Filter> {
  filter: Filter;
  /** Loads the lines before `oldest`, or the newest lines if it is undefined. Returns the lines oldest first. */
  load: (filter: Filter, oldest: Line | undefined) => Promise<Line[]>;
  matches: (line: Line, filter: Filter) => boolean;
  timeOf: (line: Line) => number;
  schedule: (draw: () => void) => void;
}

export const pageSize = 500;

export function createPagedList<Line extends { id: string }, Filter>(
  options: PagedListOptions<Line, Filter>,
): PagedList<Line, Filter> {
  const { matches, schedule } = options;
  const filter = createCell(options.filter);
  const view = createCell<PagedView<Line>>({ lines: [], loading: true, complete: false });
  const lines = createOrderedLines(options.timeOf);
  let oldest: Line | undefined;
  let generation = 0;
  let loading = false;
  let complete = false;
  let drawing = false;

  /** Draws updates together, once per frame. */
  const draw = (): void => {
    if (drawing) return;
    drawing = true;
    schedule(() => {
      drawing = false;
      view.set({ lines: lines.newestFirst(), loading, complete });
    });
  };

  const load = async (): Promise<void> => {
    if (loading || complete) return;
    const mine = generation;
    loading = true;
    try {
      const page = await options.load(filter.get(), oldest);
      if (mine !== generation) return;
      lines.prepend(page);
      oldest = page[0] ?? oldest;
      complete = page.length < pageSize;
      loading = false;
      draw();
    } catch (error) {
      if (mine !== generation) return;
      loading = false;
      view.set({ ...view.get(), loading, error: errorMessage(error) });
    }
  };

  const reload = (): void => {
    generation += 1;
    lines.clear();
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
    put(line, isMatch = matches(line, filter.get())) {
      if (lines.replace(line)) draw();
      else if (isMatch) {
        lines.insert(line);
        draw();
      }
    },
    reload,
  };
}

function createOrderedLines<Line extends { id: string }>(timeOf: (line: Line) => number) {
  /** Lines, oldest first. */
  let lines: Line[] = [];
  let index = new Map<string, number>();
  return {
    newestFirst: (): Line[] => lines.toReversed(),
    clear() {
      lines = [];
      index = new Map();
    },
    /** All lines on this page are older than the ones already loaded. */
    prepend(page: readonly Line[]) {
      lines = [...page.filter(({ id }) => !index.has(id)), ...lines];
      index = new Map(lines.map(({ id }, at) => [id, at]));
    },
    /** Returns false if there is no line with this id. */
    replace(line: Line): boolean {
      const at = index.get(line.id);
      if (at !== undefined) lines[at] = line;
      return at !== undefined;
    },
    /**
     * A new line is nearly always the newest one. An older line that has only just begun to match is inserted by its time.
     */
    insert(line: Line) {
      let at = lines.length;
      while (at > 0 && timeOf(lines[at - 1] ?? line) > timeOf(line)) at -= 1;
      lines.splice(at, 0, line);
      for (let i = at; i < lines.length; i += 1) index.set(lines[i]?.id ?? '', i);
    },
  };
}
