/** Yields the type of each server-sent event, together with its data, which is a JSON object. */
export async function* readServerSentEvents<Event extends { type: string }>(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Event> {
  let text = '';
  for await (const chunk of stream.pipeThrough(
    new TextDecoderStream() as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const [, type, data] = /^event: (.*)$[^]*^data: (.*)$/m.exec(message) ?? [];
      if (data !== undefined) yield { type, ...JSON.parse(data) } as Event;
    }
  }
}
