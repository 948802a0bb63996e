import { laneCount, type Row, type SimulatedEndpoint } from './endpoints.js';

export interface Lane {
  endpoints: SimulatedEndpoint[];
  /** Endpoints with rows that its owner has not read yet. */
  unread: Set<SimulatedEndpoint>;
  owner: Session | undefined;
  freeSince: number | undefined;
}

/** A worker as Postgres knows it: gone once its connection is. */
export interface Session {
  lanes: Set<number>;
  taken: Set<Row>;
}

export interface Database {
  lanes: readonly Lane[];
  sessions: Set<Session>;
  /** How long lanes of a worker that died had no owner. */
  gaps: number[];
  insert(endpoint: SimulatedEndpoint, now: number): void;
  take(session: Session, lane: number, now: number): void;
  give(session: Session, lane: number): void;
  /** What the session held is free, and what was in its memory is pending as before. */
  end(session: Session, diedAt: number): void;
}

export function createDatabase(endpoints: readonly SimulatedEndpoint[]): Database {
  const lanes = Array.from({ length: laneCount }, (): Lane => ({
    endpoints: [],
    unread: new Set(),
    owner: undefined,
    freeSince: undefined,
  }));
  for (const endpoint of endpoints) (lanes[endpoint.lane] as Lane).endpoints.push(endpoint);
  const sessions = new Set<Session>();
  const gaps: number[] = [];
  let count = 0;

  const give = (session: Session, number: number): void => {
    session.lanes.delete(number);
    (lanes[number] as Lane).owner = undefined;
  };

  return {
    lanes,
    sessions,
    gaps,
    insert(endpoint, now) {
      const order = ++count;
      endpoint.waiting += 1;
      endpoint.pending.push({
        id: `dlv_${order}`,
        due: now,
        order,
        endpoint,
        attempts: 0,
        createdAt: now,
        sentAt: undefined,
        requests: 0,
        sentAttempts: 0,
      });
      (lanes[endpoint.lane] as Lane).unread.add(endpoint);
    },
    take(session, number, now) {
      const lane = lanes[number] as Lane;
      lane.owner = session;
      session.lanes.add(number);
      if (lane.freeSince !== undefined) gaps.push(now - lane.freeSince);
      lane.freeSince = undefined;
    },
    give,
    end(session, diedAt) {
      sessions.delete(session);
      for (const number of session.lanes) {
        give(session, number);
        (lanes[number] as Lane).freeSince = diedAt;
      }
      for (const row of session.taken) row.endpoint.pending.push(row);
    },
  };
}
