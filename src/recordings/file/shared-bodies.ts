import type { RecordedBody, RecordedCall } from './recording.js';

/** The key of a reference to an entry of the file's `bodies`. */
export const BODY = '$body';

export function mapBodies(call: RecordedCall, change: (body: RecordedBody) => RecordedBody): RecordedCall {
  const changed = <Part extends object>(part: Part): Part =>
    'body' in part && part.body !== undefined ? { ...part, body: change(part.body as RecordedBody) } : part;
  return {
    ...changed(call),
    outbound: call.outbound.map((request) => ({ ...changed(request), answer: changed(request.answer) })),
    ...(call.response && { response: changed(call.response) }),
  };
}

/** Returns the name of the body that a reference stands for. */
export const bodyName = (body: unknown): string | undefined => {
  const name = (body as { [BODY]?: unknown } | null)?.[BODY];
  return typeof name === 'string' ? name : undefined;
};
