import { joinBytes } from './join-bytes.js';
import type { StoreLimits } from './limits.js';
import { defaultPage, matchesEntry } from './traffic-query.js';
import type { TrafficEntry, TrafficLog } from './traffic.js';

interface Bodies {
  bytes: number;
  request: Uint8Array[];
  response: Uint8Array[];
  /** Too much, or too old: nothing more is kept of it. */
  dropped: boolean;
}

export function createMemoryTraffic({ entries: most, bodyBytes }: StoreLimits): TrafficLog {
  const kept = new Map<string, { position: number; json: string }>();
  const bodies = new Map<string, Bodies>();
  let last = 0;
  let total = 0;

  const drop = (body: Bodies): void => {
    total -= body.bytes;
    Object.assign(body, { bytes: 0, request: [], response: [], dropped: true });
  };

  const trim = (): void => {
    for (const id of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(id);
      const body = bodies.get(id);
      if (body) drop(body);
      bodies.delete(id);
    }
    for (const body of bodies.values()) {
      if (total <= bodyBytes) break;
      drop(body);
    }
  };

  return {
    record(entry) {
      const position = kept.get(entry.id)?.position ?? ++last;
      kept.set(entry.id, { position, json: JSON.stringify(entry) });
      trim();
    },
    appendBody(id, which, chunk) {
      const body = bodies.get(id) ?? { bytes: 0, request: [], response: [], dropped: false };
      bodies.set(id, body);
      if (body.dropped) return;
      body[which].push(chunk.slice());
      body.bytes += chunk.byteLength;
      total += chunk.byteLength;
      trim();
    },
    get(id) {
      const found = kept.get(id);
      return found && (JSON.parse(found.json) as TrafficEntry);
    },
    body(id, which) {
      const pieces = bodies.get(id)?.[which] ?? [];
      return pieces.length === 0 ? undefined : joinBytes(pieces);
    },
    list(query = {}) {
      const { after = 0, before = Infinity, limit = defaultPage } = query;
      const found = [...kept.values()]
        .filter(({ position }) => position > after && position < before)
        .map(({ position, json }) => ({ position, entry: JSON.parse(json) as TrafficEntry }))
        .filter(({ entry }) => matchesEntry(entry, query));
      return query.after === undefined ? found.slice(-limit) : found.slice(0, limit);
    },
    flush() {},
  };
}
