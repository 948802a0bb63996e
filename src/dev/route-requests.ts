import { createHash } from 'node:crypto';
import type { Timers } from '../base/clock.js';
import { startProof } from '../base/node/start-proof.js';
import type { Emulator } from '../emulator/index.js';
import { decodeEnvelope } from '../protocol/envelope/decode-envelope.js';
import { createJoinedConsole } from './joined-console.js';

/** One of several integrations behind the same ports. */
export interface RoutedMember {
  id: string;
  /** The key of its console. */
  key: string;
  /** The current name in its manifest. */
  name(): string;
  /** Undefined while it is not running. */
  emulator: Pick<Emulator, 'fetch' | 'fetchConsole' | 'holdsToken'> | undefined;
  /** Why it is not running. */
  reason: string | undefined;
}

type RunningMember = RoutedMember & { emulator: NonNullable<RoutedMember['emulator']> };

const isRunning = (member: RoutedMember): member is RunningMember => member.emulator !== undefined;

/** Passes each request on the ports to the member that it is for. The members check hosts, origins, keys and tokens. */
export function routeRequests(
  current: () => readonly RoutedMember[],
  all: { key: string; timers: Timers; closing: AbortSignal },
): Pick<Emulator, 'fetch' | 'fetchConsole'> {
  const joined = createJoinedConsole(() => current().filter(isRunning), all);
  /** Also a move of the clock, because the session has one clock. */
  const isForAll = ({ url, method, headers }: Request): boolean => {
    const { pathname } = new URL(url);
    const keys = [
      all.key,
      ...(pathname === '/console/api/clock' && method !== 'GET' ? current().map(({ key }) => key) : []),
    ];
    const given = digest(headers.get('x-platform-token') ?? '');
    return pathname.startsWith('/console/api/') && keys.some((key) => digest(key) === given);
  };
  const named = (name: string | null | undefined) => current().find((member) => member.name() === name);

  /** Returns the running member, or the first running one if there is none. That one explains what is wrong. */
  const runningOr = (found: RoutedMember | undefined): RunningMember | Response => {
    if (found && !isRunning(found)) return notRunning(found);
    return found ?? current().find(isRunning) ?? noneRuns(current());
  };

  const forPublic = async (request: Request): Promise<RunningMember | Response> => {
    const { pathname } = new URL(request.url);
    const [, name] = /^[/](?:v1|content|assets)[/]integrations[/]([^/]+)/.exec(pathname) ?? [];
    if (name !== undefined) return runningOr(named(name));
    if (pathname.startsWith('/api/')) {
      const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      return runningOr(
        current()
          .filter(isRunning)
          .find(({ emulator }) => emulator.holdsToken(token)),
      );
    }
    if (!/^[/]v\d+[/]?$/.test(pathname)) return runningOr(undefined);
    const envelope = await decodeEnvelope(request.clone()).catch(() => undefined);
    const integration: unknown = envelope?.environment.integration?.name;
    const found = typeof integration === 'string' ? named(integration) : undefined;
    return found ? runningOr(found) : unknownInEnvelope(current());
  };

  const forConsole = (request: Request): RunningMember | Response => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith('/console/api/')) {
      const given = digest(request.headers.get('x-platform-token') ?? '');
      const member = current().find(({ key }) => digest(key) === given);
      // Commands check with this request whether the session still runs.
      if (member && !isRunning(member) && pathname === '/console/api/openapi.json') return new Response();
      return runningOr(member);
    }
    if (pathname.startsWith('/console/assets/')) return runningOr(named(searchParams.get('integration')));
    if (!pathname.startsWith('/oauth/')) return runningOr(undefined);
    const [, name] = /[/]v1[/]integrations[/]([^/?]+)/.exec(searchParams.get('redirect_uri') ?? '') ?? [];
    return runningOr(current().find(({ id }) => id === searchParams.get('member')) ?? named(name));
  };

  return {
    async fetch(request, rawHeaders, call) {
      const found = await forPublic(request);
      return found instanceof Response ? found : found.emulator.fetch(request, rawHeaders, call);
    },
    async fetchConsole(request) {
      if (new URL(request.url).pathname === '/console/api/start')
        return proveStart(request, current(), all.key);
      if (isForAll(request) && current().some(isRunning)) return joined(request);
      const found = forConsole(request);
      return found instanceof Response ? found : found.emulator.fetchConsole(request);
    },
  };
}

/** Each member proves that it knows its own key. */
async function proveStart(
  request: Request,
  members: readonly RoutedMember[],
  key: string,
): Promise<Response> {
  const proofs = members.filter(isRunning).map(({ emulator }) => emulator.fetchConsole(request));
  const responses = await Promise.all(proofs);
  const refusal = responses.find(({ ok }) => !ok);
  if (refusal) return refusal;
  const nonce = new URL(request.url).searchParams.get('nonce') ?? '';
  const known = responses.length > 0 ? [startProof(key, nonce)] : [];
  return new Response([...known, ...(await Promise.all(responses.map((one) => one.text())))].join('\n'));
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64url');

const notRunning = (member: RoutedMember): Response =>
  failure(503, 'not-running', `${member.name()} is not running. ${member.reason ?? 'It is being started.'}`);

const noneRuns = (members: readonly RoutedMember[]): Response =>
  failure(
    503,
    'not-running',
    members.map((one) => `${one.name()}: ${one.reason ?? 'is being started.'}`).join(' '),
  );

const unknownInEnvelope = (members: readonly RoutedMember[]): Response =>
  failure(
    400,
    'which-integration',
    `This session has several integrations, and the envelope names none of them in environment.integration.name. Use one of ${members.map((one) => one.name()).join(', ')}.`,
  );

const failure = (status: number, code: string, error: string): Response =>
  Response.json({ error, code }, { status, headers: { 'Cache-Control': 'no-store' } });
