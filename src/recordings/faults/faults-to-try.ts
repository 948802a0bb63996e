import type { ReplayBody, ReplayCall, ReplayOutcome } from '../../sandbox/index.js';
import { isPlatform } from './outbound-kinds.js';

type Recorded = ReplayCall['outbound'][number];
type Answer = Recorded['answer'];

/** A single fault in a call. */
export interface Fault {
  /**
   * An id of the form `<call>.<request>.<kind>.<once or on>`, with numbers that start at 1. The id selects the variant on the
   * command line.
   */
  id: string;
  /** A description such as `POST https://api.example.com/items responds with 500`. */
  what: string;
  kind: FaultKind;
}

export type FaultKind = '500' | 'reset' | 'hangs' | 'html' | '429';

export interface Variant {
  fault: Fault;
  /** The index of the request that fails. */
  request: number;
  call: ReplayCall;
}

const words: Record<FaultKind, string> = {
  '500': 'responds with 500',
  reset: 'fails with ECONNRESET',
  hangs: 'never responds',
  html: 'responds with HTML',
  '429': 'responds with 429',
};

/**
 * Returns every fault for each request that succeeded. Each fault is injected once for that request alone, and once for all
 * later requests to the same host.
 */
export function faultVariants(
  call: ReplayCall,
  index: number,
  { outbound: sent }: Pick<ReplayOutcome, 'outbound'>,
): Variant[] {
  return call.outbound.flatMap((request, at) => {
    const { answer } = request;
    const read = sent.some(({ recorded, read: wasRead }) => recorded === at && wasRead);
    if (!('status' in answer) || answer.status >= 400 || isPlatform(request.url)) return [];
    return (Object.keys(words) as FaultKind[]).flatMap((kind) => {
      if (kind === 'html' && !(read && isJson(answer.body))) return [];
      return (['once', 'on'] as const).map((scope): Variant => {
        const fault = {
          id: `${index + 1}.${at + 1}.${kind}.${scope}`,
          what: `${request.method} ${request.url} ${words[kind]}${scope === 'on' ? ' from then on' : ''}`,
          kind,
        };
        return {
          fault,
          request: at,
          call: { ...call, fresh: true, outbound: withFault(call.outbound, at, kind, scope) },
        };
      });
    });
  });
}

function withFault(
  outbound: readonly Recorded[],
  at: number,
  kind: FaultKind,
  scope: 'once' | 'on',
): Recorded[] {
  const broken = (request: Recorded): Recorded => ({
    ...request,
    answer: brokenAnswer(kind, request.answer),
  });
  const host = URL.parse(outbound[at]?.url ?? '')?.host;
  return outbound.flatMap((request, index) => {
    if (scope === 'on')
      return index >= at && URL.parse(request.url)?.host === host ? [broken(request)] : [request];
    // The second response is for a retry.
    return index === at ? [broken(request), request] : [request];
  });
}

function brokenAnswer(kind: FaultKind, answer: Answer): Answer {
  const json = 'status' in answer && isJson(answer.body);
  const status = (code: number, text: string, headers: [string, string][] = []): Answer => ({
    status: code,
    headers: [['content-type', json ? 'application/json' : 'text/plain'], ...headers],
    body: { text: json ? JSON.stringify({ error: text }) : text },
  });
  switch (kind) {
    case '500':
      return status(500, 'Internal Server Error');
    case '429':
      return status(429, 'Too Many Requests', [['retry-after', '3600']]);
    case 'reset':
      return { error: 'read ECONNRESET', code: 'ECONNRESET' };
    case 'hangs':
      return { hangs: true };
    case 'html':
      return {
        // With 200, a script that checks the status before it parses the body would be reported, too.
        status: 502,
        headers: [['content-type', 'text/html']],
        body: { text: '<!doctype html><title>Maintenance</title><p>Back soon.</p>' },
      };
  }
}

const isJson = (body: ReplayBody | undefined): boolean =>
  body !== undefined && 'text' in body && /^\s*[[{]/.test(body.text);
