import { Socket } from 'node:net';
import { createRefusal } from '../observe/refusal.js';
import type { ScriptOutbound } from '../script-host.js';

/** What `fetch`, `WebSocket` and `EventSource` pass: the object itself, or as the first item of a list. */
interface Target {
  host?: string;
  port?: number | string;
  path?: string;
}

/**
 * Lets this process connect only to one origin. Every way to the network goes through this method, also
 * each redirect that `fetch` follows. Refuses before a name is looked up.
 */
export function refuseConnections(only: string, record: (entry: ScriptOutbound) => void): void {
  const allowed = new URL(only);
  const { connect } = Socket.prototype as unknown as { connect(this: Socket, ...args: unknown[]): Socket };
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const [first] = args;
    const { host = '', port = '', path } = (Array.isArray(first) ? first[0] : first) as Target;
    if (host === allowed.hostname && String(port) === allowed.port && path == null)
      return Reflect.apply(connect, this, args);
    const shown = ['80', '443'].includes(String(port)) ? host : `${host}:${port}`;
    const { error, entry } = createRefusal(shown, 'CONNECT');
    record(entry);
    return this.destroy(error);
  };
}
