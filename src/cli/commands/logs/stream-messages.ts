export interface StreamMessage {
  event: string;
  data: unknown;
}

/** The messages of a stream of server-sent events whose data is JSON. */
export async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  let text = '';
  for await (const chunk of stream.pipeThrough(
    new TextDecoderStream() as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string): string | undefined =>
        new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1];
      const data = field('data');
      if (data !== undefined) yield { event: field('event') ?? 'message', data: JSON.parse(data) };
    }
  }
}
