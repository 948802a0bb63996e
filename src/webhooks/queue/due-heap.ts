export interface DueEntry {
  due: number;
  /** Breaks ties between equal due times. Lower numbers are older and come first. */
  order: number;
}

export interface DueQueue<Entry extends DueEntry> {
  push(entry: Entry): void;
  /** Returns the current entry with the earliest due time. Drops outdated entries that precede it. */
  peek(): Entry | undefined;
  pop(): Entry | undefined;
}

const before = (a: DueEntry, b: DueEntry): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

/** Creates a binary heap. Entries are never removed from the middle. Instead, `isCurrent` identifies outdated entries. */
export function createDueQueue<Entry extends DueEntry>(
  isCurrent: (entry: Entry) => boolean,
): DueQueue<Entry> {
  const heap: Entry[] = [];

  const swap = (a: number, b: number): void => {
    const held = heap[a] as Entry;
    heap[a] = heap[b] as Entry;
    heap[b] = held;
  };

  const first = (a: number, b: number): number =>
    b < heap.length && before(heap[b] as Entry, heap[a] as Entry) ? b : a;

  const removeTop = (): Entry | undefined => {
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    heap[0] = last;
    for (let at = 0; ;) {
      const child = first(first(at, 2 * at + 1), 2 * at + 2);
      if (child === at) return top;
      swap(at, child);
      at = child;
    }
  };

  const queue: DueQueue<Entry> = {
    push(entry) {
      heap.push(entry);
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (first(parent, at) === parent) return;
        swap(at, parent);
        at = parent;
      }
    },
    peek() {
      while (heap[0] !== undefined && !isCurrent(heap[0])) removeTop();
      return heap[0];
    },
    pop: () => (queue.peek() === undefined ? undefined : removeTop()),
  };
  return queue;
}
