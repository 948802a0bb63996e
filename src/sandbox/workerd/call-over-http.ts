import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { createIncomingBody } from '../wire/incoming-body.js';
import type { ResponseHead } from '../wire/call-head.js';
import { bodiless, sendBody, toResponse, type CallRequest, type PendingResponse } from '../wire/send-call.js';
import { HEAD_HEADER, type WorkerHead } from './worker-protocol.js';

/** The address on which workerd listens. */
export type Address = { socketPath: string } | { host: string; port: number };

export interface WorkerdClient {
  call(call: CallRequest): PendingResponse;
  /** Sends a command to the module that runs in front of the script. */
  order(order: NonNullable<WorkerHead['order']>): Promise<{ status: number; text: string }>;
  close(): void;
}

/** workerd closes a connection after it has been idle for 5 s. */
const IDLE_MS = 4000;
/** A response needs no stream if it is at most this long and arrived in full together with its headers. */
const WHOLE = 64 * 1024;
const HEAD_BYTES = 1024 * 1024;

export function createWorkerdClient(address: Address, key: string): WorkerdClient {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const options: RequestOptions = { ...address, agent, maxHeaderSize: HEAD_BYTES };
  const headOf = (head: Omit<WorkerHead, 'key'>): string => JSON.stringify({ key, ...head });

  return {
    call: (call) => sendHttpCall(options, headOf({ call: call.id, ahead: call.ahead }), call),
    order: (order) =>
      new Promise((resolve, reject) => {
        const headers = { host: 'localhost', [HEAD_HEADER]: headOf({ order }) };
        request({ ...options, headers }, (message) => {
          const pieces: Buffer[] = [];
          message
            .on('data', (piece: Buffer) => pieces.push(piece))
            .on('end', () =>
              resolve({ status: message.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
            )
            .on('error', reject);
        })
          .on('error', reject)
          .end();
      }),
    close: () => agent.destroy(),
  };
}

function sendHttpCall(options: RequestOptions, workerHead: string, call: CallRequest): PendingResponse {
  const { method, url, headers, body = new Uint8Array(), signal, progress = () => {} } = call;
  const listeners: (() => void)[] = [];
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    for (const listener of listeners) listener();
  };
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2));
  const sent = request({
    ...options,
    method,
    path,
    headers: [...headers.flat(), HEAD_HEADER, workerHead],
  } as unknown as RequestOptions);
  const abort = (error: Error): void => void sent.destroy(error);

  const response = new Promise<Response>((resolve, reject) => {
    sent.on('response', (message) => {
      message.once('close', finish);
      receive(message, method, abort).then(resolve, reject);
    });
    sent.on('error', (error) => {
      finish();
      reject(error);
    });
    sent.on('close', () => sent.destroyed && finish());
  });

  if (signal) {
    const onAbort = (): void => abort(signal.reason instanceof Error ? signal.reason : new Error('Aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    listeners.push(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  }

  if (body instanceof Uint8Array) sent.end(body);
  else
    void sendBody(body, progress, {
      isOver: () => over || sent.destroyed,
      write: (piece) =>
        new Promise((resolve) => {
          if (sent.write(piece)) return resolve();
          listeners.push(resolve);
          sent.once('drain', resolve);
        }),
      end: () => sent.end(),
      abort,
    });
  return { response, abandon: abort, whenOver: (listener) => (over ? listener() : listeners.push(listener)) };
}

/** Reads the body in one piece if it is complete by the end of this turn of the event loop, or else as a stream. */
function receive(message: IncomingMessage, method: string, abort: (error: Error) => void): Promise<Response> {
  const head: ResponseHead = { status: message.statusCode ?? 0, headers: pairs(message.rawHeaders) };
  const length = Number(message.headers['content-length'] ?? NaN);
  return new Promise((resolve, reject) => {
    const respond = (body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): void => {
      try {
        resolve(toResponse({ head, body }, method));
      } catch (error) {
        abort(new Error('The response cannot be passed on.'));
        reject(error);
      }
    };
    if (method === 'HEAD' || length === 0 || bodiless.has(head.status)) {
      message.resume();
      return respond(new Uint8Array(0));
    }
    const first: Buffer<ArrayBuffer>[] = [];
    let stream: ReturnType<typeof createIncomingBody> | undefined;
    let waiting = 0;
    const begin = (): void => {
      if (stream) return;
      stream = createIncomingBody({
        taken(bytes) {
          waiting -= bytes;
          if (waiting <= WHOLE) message.resume();
        },
        cancelled: () => abort(new Error('The rest of the body is not needed.')),
      });
      for (const piece of first) push(piece);
      respond(stream.stream);
    };
    const push = (piece: Buffer): void => {
      waiting += piece.length;
      if (waiting > WHOLE) message.pause();
      stream?.push(piece);
    };
    message.on('data', (piece: Buffer<ArrayBuffer>) => (stream ? push(piece) : first.push(piece)));
    message.on('end', () => {
      if (stream) stream.end();
      else respond(new Uint8Array(first.length === 1 && first[0] ? first[0] : Buffer.concat(first)));
    });
    message.on('error', (error) => {
      stream?.fail(error);
      reject(error);
    });
    if (length > WHOLE) begin();
    else setImmediate(() => !message.complete && begin());
  });
}

function pairs(raw: readonly string[]): ResponseHead['headers'] {
  const headers: ResponseHead['headers'] = [];
  for (let n = 0; n + 1 < raw.length; n += 2) headers.push([raw[n] ?? '', raw[n + 1] ?? '']);
  return headers;
}
