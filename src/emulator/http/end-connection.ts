import type { ServerResponse } from 'node:http';

/** A body that breaks ends its connection, and no more: the adapter to Node would print a stack of its own. */
export function endQuietly(response: Response, outgoing: ServerResponse): Response {
  const { headers, body, status, statusText } = response;
  // What has a length comes in one piece.
  if (!body || headers.has('content-length')) return response;
  const reader = body.getReader();
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          outgoing.destroy();
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(whole, { status, statusText, headers });
}
