export interface StreamMessage {
  type: string;
  id: string;
  data: string;
}

/** Server-sent events out of pieces of text; what is unfinished waits for the next piece. */
export function createStreamReader(): (piece: string) => StreamMessage[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => readMessage(block) ?? []);
  };
}

function readMessage(block: string): StreamMessage | undefined {
  const message: StreamMessage = { type: 'message', id: '', data: '' };
  let some = false;
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(event|id|data): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') message.type = value;
    else if (field === 'id') message.id = value;
    else if (field === 'data') {
      message.data += value;
      some = true;
    }
  }
  return some ? message : undefined;
}
