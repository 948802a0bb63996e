import type { Socket } from 'node:net';
import { parseJson } from '../../base/parse-json.js';
import type {
  DefinedIds,
  ScriptBackground,
  ScriptOutbound,
  OutboundRules,
  RequestParts,
  ScriptLog,
} from '../script/script-host.js';

/** Messages from the platform to the child. */
export type Order =
  | { type: 'load'; file: string; outbound: OutboundRules }
  | { type: 'ping' }
  | { type: 'drain' }
  /** Sent without `parts` if they are too long. */
  | { type: 'disguised'; id: number; parts?: RequestParts }
  | { type: 'open-inspector'; port: number }
  | { type: 'close-inspector' };

/** Messages from the child to the platform. */
export type Report =
  | { type: 'ready' }
  /** Includes `ids` if the script uses `createIntegration()`. */
  | { type: 'loaded'; ids?: DefinedIds }
  | { type: 'load-failed'; text: string }
  | { type: 'pong' }
  | { type: 'drained' }
  | { type: 'inspector-closed' }
  | { type: 'log'; entry: ScriptLog }
  | { type: 'outbound'; entry: ScriptOutbound }
  | { type: 'background'; entry: ScriptBackground }
  /** Asks for a copy of a request with its secrets replaced. */
  | { type: 'disguise'; id: number; parts: RequestParts }
  /**
   * Sent by the watchdog thread when the main thread has not run its timers for a second. Contains the current
   * position in the code.
   */
  | { type: 'blocked'; callId: string | undefined; stack: string }
  | { type: 'unblocked' };

export interface ControlChannel<Sent> {
  send(message: Sent): void;
  /** The number of bytes that the other side has not read yet. */
  pending(): number;
}

/**
 * Sends messages over a duplex pipe, one line of JSON each. Sends each message immediately, because an infinite loop
 * may follow. If `read` rejects a line, the connection is closed, because the next line may be corrupt too.
 */
export function createControlChannel<Sent, Received>(
  socket: Socket,
  read: (value: unknown) => Received | undefined,
  receive: (message: Received) => void,
): ControlChannel<Sent> {
  socket.setEncoding('utf8');
  const take = (line: string): void => {
    if (socket.destroyed) return;
    const message = read(parseJson(line, undefined));
    if (message === undefined) socket.destroy();
    else receive(message);
  };
  eachLine(socket, take, LONGEST_MESSAGE);
  socket.on('error', () => socket.destroy());
  return {
    send: (message) => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    pending: () => socket.writableLength,
  };
}

const LONGEST_LINE = 1024 * 1024;
/** Must be large enough for an outbound request and its response, each with a base64-encoded body of `SENT_BYTES`. */
const LONGEST_MESSAGE = 4 * 1024 * 1024;
/** Text in messages is truncated to this length. Higher than what the log stores and lower than the maximum line length. */
export const LONGEST_SENT = 64 * 1024;

/**
 * Calls `take` for each line in a text stream. Lines that are too long are truncated instead of split, because
 * neither half of a split secret would be recognized.
 */
export function eachLine(
  stream: { on(event: 'data', listener: (chunk: string) => void): unknown },
  take: (line: string) => void,
  longest = LONGEST_LINE,
): void {
  let rest = '';
  let skipping = false;
  stream.on('data', (chunk) => {
    let start = 0;
    // Searches only the new chunk, so that a long line does not take quadratic time.
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      if (!skipping) take(rest + chunk.slice(start, end));
      rest = '';
      skipping = false;
      start = end + 1;
    }
    if (skipping) return;
    rest += chunk.slice(start);
    if (rest.length <= longest) return;
    take(rest.slice(0, longest));
    skipping = true;
    rest = '';
  });
}
