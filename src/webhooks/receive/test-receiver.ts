import { isoTime, type Clock } from '../../base/clock.js';
import { signatureHeader, signPayload } from '../../protocol/signature.js';
import type { NetworkErrorKind } from '../model/delivery.js';
import { explainNetworkError } from '../send/send-request.js';
import { readStart, type WebhookFetch } from '../send/send-request.js';

/** A receiver's response in one test case, and the expected response. */
export interface ConformanceResult {
  id: string;
  what: string;
  expected: string;
  /** The response statuses in request order, or the reason why there is no response, such as `refused` or `reset`. */
  got: string;
  verdict: 'pass' | 'fail' | 'advice';
  advice?: string;
  /** The beginning of the last response body, if the case failed. */
  response?: Uint8Array;
}

interface Target {
  url: string;
  secret: string;
  clock: Clock;
  fetch: WebhookFetch;
  newId: () => string;
}

interface Message {
  method?: 'GET';
  body?: string;
  /** The signed text, if it differs from the body. */
  signed?: string;
  /** The age of the signature in seconds. */
  age?: number;
  signature?: 'flipped' | 'none';
}

interface Case {
  id: string;
  what: string;
  messages(event: (fields?: object) => string): Message[];
  expects: 'accepted' | 'refused' | '405';
  /**
   * A response that is accepted but for which `advice` is shown. Without `tolerates`, the advice is shown for every
   * response.
   */
  tolerates?: 'refused';
  advice?: string;
}

const cases: readonly Case[] = [
  { id: 'good', what: 'a valid signature', expects: 'accepted', messages: (event) => [{ body: event() }] },
  {
    id: 'bad-signature',
    what: 'a signature with one digit changed',
    expects: 'refused',
    messages: (event) => [{ body: event(), signature: 'flipped' }],
  },
  {
    id: 'no-signature',
    what: 'no signature',
    expects: 'refused',
    messages: (event) => [{ body: event(), signature: 'none' }],
  },
  {
    id: 'altered-body',
    what: 'a body that was changed after signing',
    expects: 'refused',
    messages: (event) => [{ body: event({ revisionId: 'altered' }), signed: event() }],
  },
  {
    id: 'old',
    what: 'a valid signature that is ten minutes old',
    expects: 'refused',
    advice: 'To prevent replay attacks, reject signatures older than five minutes.',
    messages: (event) => [{ body: event(), age: 600 }],
  },
  {
    id: 'duplicate',
    what: 'the same event twice',
    expects: 'accepted',
    messages: (event) => {
      const body = event();
      return [{ body }, { body }];
    },
  },
  {
    id: 'out-of-order',
    what: 'an event older than the previous one',
    expects: 'accepted',
    messages: (event) => [
      { body: event(), age: 0 },
      { body: event(), age: 4 },
    ],
  },
  {
    id: 'unknown-type',
    what: 'an event of an unknown type',
    expects: 'accepted',
    advice: "Respond with 200 to types that you don't handle, because new types may be added.",
    messages: (event) => [{ body: event({ type: 'something_new' }) }],
  },
  {
    id: 'large',
    what: 'a body of 1 MiB',
    expects: 'accepted',
    messages: (event) => {
      const rest = event({ padding: '' }).length;
      return [{ body: event({ padding: 'x'.repeat(1024 * 1024 - rest) }) }];
    },
  },
  {
    id: 'non-ascii',
    what: 'a body with non-ASCII text: Привет 🚀',
    expects: 'accepted',
    messages: (event) => [{ body: event({ title: 'Привет 🚀' }) }],
  },
  {
    id: 'raw-bytes',
    what: 'a body that re-serializing would change',
    expects: 'accepted',
    messages: (event) => [{ body: event({ title: 'é' }).replace(':', ' :  ').replace('é', '\\u00e9') }],
  },
  {
    id: 'get',
    what: 'GET instead of POST',
    expects: '405',
    tolerates: 'refused',
    advice: 'Respond with 405 and "Allow: POST", so that the sender can see what is wrong.',
    messages: () => [{ method: 'GET' }],
  },
];

const limitMs = 10_000;

/** Tests a receiver, one case at a time. */
export async function* testReceiver(target: Target): AsyncGenerator<ConformanceResult> {
  for (const { id, what, expects, tolerates, advice, messages } of cases) {
    const answers: (number | string)[] = [];
    let response: Uint8Array | undefined;
    for (const message of messages(eventMaker(target))) {
      const { answer, body } = await deliver(target, message);
      answers.push(answer);
      response = body;
    }
    const allFit = (wanted: Case['expects']): boolean => answers.every((answer) => fits(answer, wanted));
    const good = allFit(expects);
    const tolerated = !good && advice !== undefined && (!tolerates || allFit(tolerates));
    yield {
      id,
      what,
      expected: { accepted: '2xx', refused: '401', '405': '405' }[expects],
      got: answers.join(', '),
      verdict: good ? 'pass' : tolerated ? 'advice' : 'fail',
      ...(tolerated && { advice }),
      ...(!good && response && { response }),
    };
  }
}

function fits(answer: number | string, expects: Case['expects']): boolean {
  if (typeof answer === 'string') return false;
  if (expects === 'accepted') return answer >= 200 && answer < 300;
  return expects === '405' ? answer === 405 : answer >= 400 && answer < 500;
}

const eventMaker =
  ({ newId, clock }: Target) =>
  (fields: object = {}): string =>
    JSON.stringify({
      eventId: newId(),
      type: 'space_content_updated',
      installationId: 'installation_1',
      spaceId: 'space_local',
      revisionId: `revision of ${isoTime(clock.now())}`,
      ...fields,
    });

async function deliver(
  target: Target,
  { method, body = '', signed = body, age = 0, signature }: Message,
): Promise<{ answer: number | string; body?: Uint8Array }> {
  const { url, secret, clock } = target;
  const timestamp = Math.floor(clock.now() / 1000) - age;
  const header = await signPayload(signed, secret, { timestamp });
  const flipped = header.slice(0, -1) + (header.endsWith('0') ? '1' : '0');
  const headers = {
    'Content-Type': 'application/json',
    ...(signature !== 'none' && { [signatureHeader]: signature === 'flipped' ? flipped : header }),
  };
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(limitMs, done.signal).then(
    () => late.abort(),
    () => {},
  );
  try {
    const message =
      method === 'GET'
        ? { method, headers: {} }
        : { method: 'POST' as const, headers, body: new TextEncoder().encode(body) };
    const answer = await target.fetch(url, { ...message, redirect: 'manual', signal: late.signal });
    return { answer: answer.status, body: await readStart(answer.body) };
  } catch (error) {
    return { answer: late.signal.aborted ? noResponse : explainNetworkError(error).error };
  } finally {
    done.abort();
  }
}

/** Finds a common cause if several cases failed. Returns undefined if all cases passed. */
export function concludeTest(results: readonly ConformanceResult[]): string | undefined {
  if (results.every(({ verdict }) => verdict !== 'fail')) return undefined;
  const statuses = [...new Set(results.flatMap(({ got }) => got.split(', ')))];
  const [only = ''] = statuses;
  const unreachable = notReached[only];
  if (statuses.length === 1 && unreachable !== undefined) return unreachable;
  if (statuses.length === 1) return `Every request got ${only}${reasonOf(only)}.`;
  const isAccepted = (id: string): boolean =>
    results.some((result) => result.id === id && result.got.startsWith('2'));
  if (isAccepted('bad-signature') && isAccepted('no-signature'))
    return 'Requests without a valid signature were accepted. Verify the signature before doing anything else.';
  const { got = '' } = results.find(({ id }) => id === 'good') ?? {};
  if (got.startsWith('2')) return undefined;
  if (['400', '401', '403'].includes(got))
    return 'The valid signature was rejected. Does the receiver use this secret, and does it check the raw body?';
  return notReached[got] ?? `The valid request got ${got}${reasonOf(got)}.`;
}

const noResponse = 'no response within 10 s';

/** What to do if no request received a response. */
const notReached: Record<string, string | undefined> = {
  tls: 'No request arrived, because TLS failed. Is it an http:// URL, or is the certificate self-signed?',
  dns: 'No request arrived, because the host is unknown. Check its spelling.',
  reset: 'The receiver closed every connection without a response. Is it an HTTPS port, or did it crash?',
  [noResponse]:
    'The receiver accepted the connection but never responded. Does its handler end the response?',
} satisfies Partial<Record<NetworkErrorKind | typeof noResponse, string>>;

function reasonOf(status: string): string {
  if (status === '404') return ', so the path in the URL is probably wrong';
  if (status === '405') return ', so the path probably does not accept POST';
  if (status === '401' || status === '403')
    return ', so the receiver probably uses another secret, or does not check the raw body';
  if (status.startsWith('3')) return ', a redirect. Use the URL that it redirects to';
  if (status.startsWith('5'))
    return ', so the receiver probably fails before it checks the signature. See its log';
  if (status.startsWith('2')) return ', so the receiver does not check the signature';
  return '';
}
