import { onTestFinished, expect } from 'vitest';
import { openSession, type OpenSession } from '../../../support/open-session.js';
import type { CliResult } from '../../../support/run-cli.js';

export const target = 'http://receiver.example.com/hook';

export interface Endpoint {
  id: string;
  url: string;
  events: string[];
  target: { type: string; id: string };
  enabled: boolean;
  secret?: string;
  rotatesUntil?: number;
  backlog?: { pending: number; retrying: number; held: number; inFlight: number };
}

export interface Delivery {
  id: string;
  state: string;
  eventId: string;
  endpointId: string;
  resentFrom?: string;
}

export interface CliSession extends OpenSession {
  platform(line: string): Promise<CliResult>;
}

export async function startCliSession(answer = async () => new Response()): Promise<CliSession> {
  const script = { fetch: async () => new Response('OK') };
  const session = await openSession(script, { outside: answer });
  onTestFinished(session.close);
  return { ...session, platform: (line) => session.cli(line.split(' ')) };
}

export async function json<T>({ platform }: CliSession, line: string, code = 0): Promise<T> {
  const result = await platform(`${line} --format json`);
  expect([result.code, result.stderr], result.stdout).toEqual([code, '']);
  return JSON.parse(result.stdout) as T;
}

export const listed = async (session: CliSession, line: string): Promise<Endpoint[]> =>
  (await json<{ endpoints: Endpoint[] }>(session, line)).endpoints;

export async function startWithEndpoint(
  statuses: number[] = [],
): Promise<CliSession & { endpoint: Endpoint }> {
  const session = await startCliSession(async () => {
    const status = statuses.shift() ?? 200;
    return new Response(status === 400 ? 'no such hook' : null, { status });
  });
  const [endpoint] = await listed(session, `webhook add --url ${target} --event site_view`);
  if (!endpoint) throw new Error('No endpoint was added.');
  return { ...session, endpoint };
}

export const delivered = ({ emulator }: CliSession): Promise<void> =>
  emulator.webhooks.use((dispatcher) => dispatcher.idle());
