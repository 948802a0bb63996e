import { expect, it } from 'vitest';
import { createStreamReader } from '../../../src/console/live/live-stream.js';

it('parses the messages of an event stream, wherever the stream is split', () => {
  const text = 'event: hello\nid: a.0\ndata: {}\n\n: still here\n\nevent: log\nid: a.1\ndata: {"x":"é"}\n\n';
  const whole = [
    { type: 'hello', id: 'a.0', data: '{}' },
    { type: 'log', id: 'a.1', data: '{"x":"é"}' },
  ];
  for (let size = 1; size <= text.length; size += 1) {
    const read = createStreamReader();
    const messages = [];
    for (let at = 0; at < text.length; at += size) messages.push(...read(text.slice(at, at + size)));
    expect(messages).toEqual(whole);
  }
});
