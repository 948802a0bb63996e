/** The parts of Node's `IncomingMessage` or of an Express request that the listener needs. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** The body, if a body parser has already read it. Usable only if it is bytes or a string. */
  body?: unknown;
}

/** The parts of a Node response that a receiver uses. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** A request listener for `node:http`, Express and similar frameworks. */
export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

const parsed =
  'The body was parsed before its signature could be verified. ' +
  "Put the receiver before express.json(), or use express.raw({ type: '*/*' }).";

/** Adapts the receiver to Node's HTTP server and to Express. */
export function createNodeListener(receive: (request: Request) => Promise<Response>): NodeListener {
  return (incoming, response) => {
    answerTo(incoming, receive)
      .catch(() => Response.json({ error: 'The request could not be read.' }, { status: 400 }))
      .then(async (answer) => {
        response.statusCode = answer.status;
        answer.headers.forEach((value, name) => response.setHeader(name, value));
        response.end(await answer.text());
      })
      .catch(() => undefined);
  };
}

async function answerTo(
  incoming: NodeRequest,
  receive: (request: Request) => Promise<Response>,
): Promise<Response> {
  // A Request needs an absolute URL, even though the receiver does not use it.
  const address = 'http://localhost/';
  if (incoming.method !== 'POST') return receive(new Request(address));
  const body = bodyOf(incoming);
  if (body === undefined) return Response.json({ error: parsed }, { status: 500 });
  const headers = new Headers();
  const signature = incoming.headers['x-platform-signature'];
  if (signature !== undefined) headers.set('x-platform-signature', String(signature));
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
  return receive(new Request(address, init));
}

function bodyOf(incoming: NodeRequest): NonNullable<RequestInit['body']> | undefined {
  const { body } = incoming;
  if (body === undefined || body === null) return streamOf(incoming);
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : undefined;
}

function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
