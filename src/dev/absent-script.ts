import { createHash } from 'node:crypto';
import type { Bundle } from '../bundle/index.js';
import type { Sandbox, ScriptHost } from '../sandbox/index.js';

/** Where the author's script runs, while there is one. */
export interface CurrentScript extends ScriptHost {
  /** Resolves with the name of the build and its components, or that another one came before this was in place. */
  put(bundle: Bundle): Promise<{ build: string; components: readonly string[] | undefined } | 'superseded'>;
  /** The size of the code that is called now. */
  scriptBytes(): number | undefined;
  /** Until the next `put` there is no script: no events are handled, and requests get an error that says why. */
  leaveEmpty(): void;
}

const none = 'This integration has no script: its manifest names none.';

export function createCurrentScript(sandbox: Sandbox): CurrentScript {
  let missing: string | undefined = 'The script is being built.';
  let turn = 0;
  let bytes: number | undefined;
  const refuse = async (status = 503): Promise<Response> => Response.json({ error: missing }, { status });
  return {
    call(call) {
      if (missing === undefined) return sandbox.call(call);
      return refuse(missing === none && call.event.type !== 'fetch' ? 406 : 503);
    },
    raw: (id, request) => (missing === undefined ? sandbox.raw(id, request) : refuse()),
    async put({ code, map }) {
      turn += 1;
      const mine = turn;
      if ((await sandbox.load({ code, map })) === 'superseded' || mine !== turn) return 'superseded';
      missing = undefined;
      bytes = Buffer.byteLength(code);
      const build = createHash('sha256').update(code).digest('hex').slice(0, 16);
      return { build, components: sandbox.components() };
    },
    scriptBytes: () => bytes,
    leaveEmpty() {
      turn += 1;
      bytes = undefined;
      missing = none;
    },
  };
}
