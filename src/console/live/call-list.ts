import { api } from '../api/fetch-api.js';
import { createPagedList, pageSize, type PagedList } from '../api/paged-list.js';
import { apiFilter, isFiltered, noFilter, type FilterTexts } from '../api/call-filter.js';
import { createCell } from '../ui/state/observable-cell.js';
import { onLive } from './live-stream.js';
import type { CallLine } from '../../contract/routes/calls.js';

export type CallList = PagedList<CallLine, FilterTexts>;

/** A single list, shared by the whole console and updated even while another view is open. */
export const callList: CallList = createPagedList({
  filter: noFilter,
  load: (filter, oldest) =>
    api('GET /calls', { ...apiFilter(filter), before: oldest?.position, limit: pageSize }),
  // If a filter is set, does not add new lines directly, because only the platform has the logs and bodies that filters
  // search.
  matches: (_, filter) => !isFiltered(filter),
  timeOf: ({ time }) => time,
  schedule: (draw) => void requestAnimationFrame(draw),
});

export const callCounts = createCell<{ matching: number; all: number } | undefined>(undefined);

/** Counts the new calls while live updates are paused. */
export const paused = createCell<{ missed: number } | undefined>(undefined);

export function followCalls(): void {
  callList.reload();
  count();
  onLive((event) => {
    if (event.type === 'call-started' || event.type === 'call-finished') take(event.call);
    else if (event.type === 'call-changed' && !paused.get()) ask(event.call);
    else if (event.type === 'reset' || (event.type === 'reloaded' && callList.filter.get().current)) reload();
  });
}

export function setCallFilter(filter: FilterTexts): void {
  callList.setFilter(filter);
  count();
}

export function togglePause(): void {
  if (!paused.get()) return paused.set({ missed: 0 });
  paused.set(undefined);
  reload();
}

function reload(): void {
  callList.reload();
  count();
}

function take(line: CallLine): void {
  const pause = paused.get();
  if (pause) {
    if (line.outcome === 'running') paused.set({ missed: pause.missed + 1 });
    return;
  }
  callList.put(line);
  if (isFiltered(callList.filter.get())) asked.add(line.id);
  askSoon();
}

/** Checks again whether a call matches, because a call can have new problems after it ends. */
function ask(id: string): void {
  asked.add(id);
  askSoon();
}

/** Calls that arrive within this time are checked in a single request. */
const gatherMs = 200;
/** More ids than this would not fit in a URL. */
const mostAsked = 100;
/** The ids of calls that have changed or that may match the filter. */
const asked = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function askSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    count();
    const ids = [...asked].slice(0, mostAsked);
    for (const id of ids) asked.delete(id);
    if (asked.size > 0) askSoon();
    if (ids.length > 0) void putMatching(ids);
  }, gatherMs);
}

async function putMatching(ids: string[]): Promise<void> {
  const filter = callList.filter.get();
  try {
    const lines = await api('GET /calls', { ...apiFilter(filter), ids: ids.join() });
    if (filter === callList.filter.get()) for (const line of lines) callList.put(line, true);
  } catch {
    // Not reported here, because the list already shows that the platform is not responding.
  }
}

let counting = false;
let countAgain = false;

/** Counts the calls. Sends only one request at a time, because counting is slower than the list's other requests. */
function count(): void {
  countAgain = counting;
  if (counting) return;
  counting = true;
  api('GET /calls/count', apiFilter(callList.filter.get()))
    .then(callCounts.set, () => callCounts.set(undefined))
    .finally(() => {
      counting = false;
      if (countAgain) count();
    });
}
